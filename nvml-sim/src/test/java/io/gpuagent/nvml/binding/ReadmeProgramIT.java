// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.binding;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.nvml.SymbolSource;
import io.gpuagent.nvml.sim.SimProfile;
import io.gpuagent.nvml.sim.SimulatedDriver;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program in the binding's README is compiled as it stands, and run with a simulated library in the real one's place. */
public class ReadmeProgramIT {
    private static final Pattern PROGRAM = Pattern.compile("(?s)```java\n(.*?)```");
    private static final String REAL_LIBRARY = "NvmlLibrary.open(Optional.empty())";

    private static String program() throws IOException {
        Matcher program = PROGRAM.matcher(Files.readString(Path.of("..", "nvml-ffm", "README.md")));
        assertThat(program.find()).isTrue();
        return program.group(1);
    }

    private static void compile(Path folder, String source) throws IOException {
        Path file = Files.writeString(folder.resolve("Power.java"), source);
        ByteArrayOutputStream problems = new ByteArrayOutputStream();

        int status = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        problems,
                        "--class-path",
                        System.getProperty("java.class.path"),
                        "-proc:none",
                        "-d",
                        folder.toString(),
                        file.toString());

        assertThat(status).as(problems.toString(StandardCharsets.UTF_8)).isZero();
    }

    /** What the program takes its symbols from here. */
    public static SymbolSource library() {
        SimulatedDriver driver = SimulatedDriver.start(SimProfile.parse("h200x2"), () -> 0);
        driver.freeze();
        driver.gpu(1).answer("nvmlDeviceGetPowerUsage", 3);
        return driver;
    }

    @Test
    void programCompilesAsItStands(@TempDir Path folder) throws IOException {
        compile(folder, program());
    }

    @Test
    void programPrintsThePowerOfEachGpu(@TempDir Path folder) throws IOException, ReflectiveOperationException {
        assertThat(program()).containsOnlyOnce(REAL_LIBRARY);
        compile(folder, program().replace(REAL_LIBRARY, ReadmeProgramIT.class.getName() + ".library()"));

        assertThat(run(folder)).isEqualTo("NVIDIA H200: 80 W\nNVIDIA H200: unknown\n");
    }

    private static String run(Path folder) throws IOException, ReflectiveOperationException {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream before = System.out;
        try (URLClassLoader loader =
                        new URLClassLoader(new URL[] {folder.toUri().toURL()}, ReadmeProgramIT.class.getClassLoader());
                PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
            Class<?> power = loader.loadClass("Power");
            Constructor<?> constructor = power.getDeclaredConstructor();
            constructor.setAccessible(true);
            Method main = power.getDeclaredMethod("main");
            main.setAccessible(true);
            System.setOut(out);
            main.invoke(constructor.newInstance());
        } finally {
            System.setOut(before);
        }
        return printed.toString(StandardCharsets.UTF_8);
    }
}
