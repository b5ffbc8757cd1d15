# SPDX-License-Identifier: Apache-2.0
# Does what systemd does for a socket with Accept=yes and a service with StandardInput=socket: starts the command for each
# connection, which is its standard input, with an instance name NUMBER-PID-UID of the peer as the kernel tells them.
# Arguments: path of the socket, its owner's uid, its mode in octal, the command.
use strict;
use warnings;
use IO::Socket::UNIX;
use POSIX ();
use Socket;

use constant SO_PEERCRED => 17;

my ($path, $owner, $mode, @command) = @ARGV;
umask 0177;
my $server = IO::Socket::UNIX->new(Type => SOCK_STREAM, Local => $path, Listen => 64) or die "cannot listen: $!";
chown $owner, -1, $path or die "cannot chown: $!";
chmod oct($mode), $path or die "cannot chmod: $!";
umask 0022;
$SIG{CHLD} = 'IGNORE';
$| = 1;
print "ready\n";
my $number = 0;
while (my $connection = $server->accept) {
    $number++;
    my ($pid, $uid) = unpack 'iII', getsockopt($connection, SOL_SOCKET, SO_PEERCRED);
    my $child = fork;
    die "cannot fork: $!" unless defined $child;
    if ($child == 0) {
        POSIX::dup2(fileno($connection), 0);
        exec @command, '--instance', "$number-$pid-$uid" or die "cannot exec: $!";
    }
    close $connection;
}
