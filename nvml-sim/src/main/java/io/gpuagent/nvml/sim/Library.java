// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import io.gpuagent.nvml.SymbolSource;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A library that a process has opened: what it exports, and how often it is initialised. */
final class Library implements SymbolSource {
    static final Set<String> INIT = Set.of("nvmlInit", "nvmlInit_v2", "nvmlInitWithFlags");

    private final SimulatedDriver driver;
    private final Description description;
    private final Arena arena = Arena.ofAuto();
    private final Map<String, Long> addresses = new ConcurrentHashMap<>();
    private final Map<String, MemorySegment> texts = new ConcurrentHashMap<>();
    private final Set<String> removed = ConcurrentHashMap.newKeySet();
    private volatile int sessions;
    /** With which load of the driver, in which boot of the machine, the sessions began. */
    private volatile long load;

    private volatile long boot;

    /**
     * Opens a library.
     *
     * @param description of the driver that it comes with
     */
    Library(SimulatedDriver driver, Description description) {
        this.driver = driver;
        this.description = description;
        removed.addAll(description.missing());
    }

    SimulatedDriver driver() {
        return driver;
    }

    Description description() {
        return description;
    }

    @Override
    public OptionalLong address(String symbol) {
        @Nullable CFunction function = Abi.get().functions().get(symbol);
        if (function == null || removed.contains(symbol)) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(addresses.computeIfAbsent(symbol, name -> FunctionPointer.make(this, function, arena)));
    }

    /** A function that the library does not have; too late where its address has been given out. */
    void remove(String symbol) {
        if (addresses.containsKey(symbol)) {
            throw new IllegalStateException(symbol + " has been looked up already");
        }
        removed.add(symbol);
    }

    /** A C string that stays where it is. */
    long text(String text) {
        return texts.computeIfAbsent(text, arena::allocateFrom).address();
    }

    int call(CFunction function, long[] arguments) {
        return driver.dispatch().call(this, function, arguments);
    }

    long errorText(int code) {
        driver.calls().count("nvmlErrorString", CallCounts.NO_GPU);
        return text(Code.text(code));
    }

    /** How many initialisations have not been shut down. */
    int sessions() {
        return boot == life().boots() ? sessions : 0;
    }

    /** Whether the driver that the sessions began with is not there any more. */
    boolean isStale() {
        return !life().isPresent() || load != life().loads();
    }

    private DriverLife life() {
        return driver.machine().life();
    }

    int initialise() {
        int code = driver.machine().initCode();
        if (code != Code.SUCCESS) {
            return code;
        }
        synchronized (this) {
            sessions = sessions();
            // A library that is initialised already only counts its users, and asks no driver.
            if (sessions == 0) {
                if (!life().isPresent()) {
                    return Code.DRIVER_NOT_LOADED;
                }
                if (!description.driver().equals(driver.machine().loadedDriver().driver())) {
                    return Code.LIB_RM_VERSION_MISMATCH;
                }
                load = life().loads();
                boot = life().boots();
            }
            sessions++;
        }
        return Code.SUCCESS;
    }

    int shutDown() {
        synchronized (this) {
            sessions--;
            if (sessions > 0) {
                return Code.SUCCESS;
            }
        }
        driver.events().endStale();
        driver.machine().gpus().forEach(gpu -> gpu.mig().instances().forgetStaleDevices());
        return Code.SUCCESS;
    }
}
