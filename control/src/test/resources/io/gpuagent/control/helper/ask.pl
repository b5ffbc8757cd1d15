# SPDX-License-Identifier: Apache-2.0
# Sends each line of standard input over a connection of its own, as whoever runs this, agrees to let go of GPUs
# and to go on, and prints the last line that comes back for each. Argument: path of the socket.
use strict;
use warnings;
use IO::Socket::UNIX;
use Socket;

my ($path) = @ARGV;
$SIG{PIPE} = 'IGNORE';
$| = 1;
while (my $line = <STDIN>) {
    my $connection = IO::Socket::UNIX->new(Type => SOCK_STREAM, Peer => $path);
    if (!$connection) {
        print "no connection: $!\n";
        next;
    }
    $connection->print($line);
    $connection->flush;
    my $last = "nothing\n";
    while (my $answer = <$connection>) {
        $last = $answer;
        if ($answer =~ /^\{"quiesce"/) {
            $connection->print("{\"quiesced\":true}\n");
            $connection->flush;
        } elsif ($answer =~ /^\{"may_go_on"/) {
            $connection->print("{\"go_on\":true}\n");
            $connection->flush;
        }
    }
    print $last;
}
