// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.control;

/** What it means that a command brought no value. */
public enum Refusal {
    /** No control daemon listens in the pipe directory. */
    NO_DAEMON("no control daemon runs there"),
    /** The daemon was told to quit: it waits for its clients and takes no command any more. */
    ENDING("the control daemon was told to quit and takes no command any more"),
    /** The daemon has no server with this pid, or none at all. */
    NO_SUCH_SERVER("there is no such server"),
    /** This user may ask, but not change. */
    NOT_ALLOWED("only root and the user who started the daemon may do this"),
    /** This generation of the daemon does not know the command. */
    UNKNOWN_COMMAND("this version does not know the command"),
    /** The value is out of range or names what is not there. */
    BAD_VALUE("the value is not allowed"),
    /** The daemon took the command, and another value is in force. */
    NOT_IN_FORCE("it was accepted and is not in force"),
    /** CUDA failed; the text is its error number. */
    CUDA_ERROR("CUDA failed with this error number"),
    /** The partition has clients. */
    IN_USE("it is in use"),
    /** A text that was not foreseen. */
    UNEXPECTED("the answer was not understood"),
    /** The command did not come back in time, and it is unknown whether it was carried out. */
    TIMED_OUT("no answer came in time, and whether it was carried out is unknown"),
    /** Another command to this daemon was still running; this one was not sent. */
    BUSY("another command to this daemon is still running, and this one was not sent"),
    /** The client program could not be run. */
    NOT_RUN("nvidia-cuda-mps-control could not be run"),
    /** The client program is newer than what was known when this was written. */
    TOO_NEW("this agent refuses to guess at versions newer than CUDA 13.4");

    private final String meaning;

    Refusal(String meaning) {
        this.meaning = meaning;
    }

    /**
     * For people.
     *
     * @return half a sentence
     */
    public String meaning() {
        return meaning;
    }
}
