// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.gpuagent.host.kernel.PreviousBootLog;
import io.gpuagent.model.time.SystemClock;
import io.gpuagent.mps.control.ProcessTransport;
import io.gpuagent.mps.supervise.DetachedLauncher;
import io.gpuagent.mps.supervise.SystemdLauncher;
import io.gpuagent.nvml.Access;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.concurrent.TimeUnit;

/** The arrows between modules and packages, and who may touch what, where the module graph cannot say it. */
@AnalyzeClasses(packages = "io.gpuagent", importOptions = ArchitectureTest.MainClasses.class)
class ArchitectureTest {
    /** Leaves out tests and the jars of fixtures, wherever the build puts them. */
    static final class MainClasses implements ImportOption {
        @Override
        public boolean includes(Location location) {
            return !location.contains("/test-classes/") && !location.contains("-tests.jar");
        }
    }

    @ArchTest
    static final ArchRule theModelUsesTheJdkAlone = classes()
            .that()
            .resideInAPackage("io.gpuagent.model..")
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage("java..", "org.jspecify..", "io.gpuagent.model.."));

    @ArchTest
    static final ArchRule theBindingUsesTheJdkAlone = classes()
            .that(resideInAPackage("io.gpuagent.nvml..").and(not(resideInAPackage("io.gpuagent.nvml.sim.."))))
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage("java..", "org.jspecify..", "io.gpuagent.nvml.."));

    @ArchTest
    static final ArchRule theBindingDoesNotKnowTheSimulator = noClasses()
            .that(resideInAPackage("io.gpuagent.nvml..").and(not(resideInAPackage("io.gpuagent.nvml.sim.."))))
            .should()
            .dependOnClassesThat(resideInAPackage("io.gpuagent.nvml.sim.."));

    @ArchTest
    static final ArchRule theSimulatorKnowsOfTheBindingOnlyItsSeam = noClasses()
            .that()
            .resideInAPackage("io.gpuagent.nvml.sim..")
            .should()
            .dependOnClassesThat(resideInAPackage("io.gpuagent.nvml.internal.."));

    @ArchTest
    static final ArchRule theHostKnowsNoGpu = noClasses()
            .that()
            .resideInAPackage("io.gpuagent.host..")
            .should()
            .dependOnClassesThat(resideInAnyPackage(
                    "io.gpuagent.nvml..", "io.gpuagent.mps..", "io.gpuagent.mig..", "io.gpuagent.agent.."));

    @ArchTest
    static final ArchRule mpsKnowsTheHostAndTheModelAlone = classes()
            .that()
            .resideInAPackage("io.gpuagent.mps..")
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage(
                    "java..", "org.jspecify..", "io.gpuagent.mps..", "io.gpuagent.host..", "io.gpuagent.model.."));

    @ArchTest
    static final ArchRule mpsHasNoWeb = noClasses()
            .that()
            .resideInAPackage("io.gpuagent.mps..")
            .should()
            .dependOnClassesThat(resideInAPackage("java.net.."));

    @ArchTest
    static final ArchRule mpsPackagesHaveNoCycles =
            slices().matching("io.gpuagent.mps.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule theMpsClientAndItsLogsDoNotKnowTheSimulatedDaemon = noClasses()
            .that(resideInAPackage("io.gpuagent.mps..").and(not(resideInAPackage("io.gpuagent.mps.sim.."))))
            .should()
            .dependOnClassesThat(resideInAPackage("io.gpuagent.mps.sim.."));

    /** Root's process must stay small: what it may load is listed here, and each new entry is a new way in. */
    @ArchTest
    static final ArchRule controlComesWithoutWebMetricsYamlAndCommandLine = classes()
            .that()
            .resideInAPackage("io.gpuagent.control..")
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage(
                            "java..",
                            "jdk.net..",
                            "org.jspecify..",
                            "com.fasterxml.jackson.core..",
                            "io.gpuagent.control..",
                            "io.gpuagent.mig..",
                            "io.gpuagent.mps..",
                            "io.gpuagent.host..",
                            "io.gpuagent.model..",
                            "io.gpuagent.nvml..")
                    .and(not(resideInAPackage("io.gpuagent.nvml.sim.."))));

    @ArchTest
    static final ArchRule theHelperIsAProgramOfItsOwn = noClasses()
            .that(not(resideInAPackage("io.gpuagent.control.helper..")))
            .should()
            .dependOnClassesThat(resideInAPackage("io.gpuagent.control.helper.."));

    @ArchTest
    static final ArchRule controlsPackagesHaveNoCycles =
            slices().matching("io.gpuagent.control.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule nothingBelowControlKnowsIt = noClasses()
            .that()
            .resideInAnyPackage(
                    "io.gpuagent.mps..",
                    "io.gpuagent.host..",
                    "io.gpuagent.model..",
                    "io.gpuagent.nvml..",
                    "io.gpuagent.exporters..")
            .should()
            .dependOnClassesThat(resideInAPackage("io.gpuagent.control.."));

    @ArchTest
    static final ArchRule nvmlIsOpenedForControlByControlAlone = noClasses()
            .that(not(resideInAnyPackage("io.gpuagent.control.direct..", "io.gpuagent.nvml..")))
            .should()
            .accessField(Access.class, "CONTROL");

    @ArchTest
    static final ArchRule migKnowsNeitherTheWebNorMpsNorMetrics = classes()
            .that()
            .resideInAPackage("io.gpuagent.mig..")
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage(
                    "java..",
                    "org.jspecify..",
                    "io.gpuagent.mig..",
                    "io.gpuagent.model..",
                    "io.gpuagent.host..",
                    "io.gpuagent.nvml"));

    @ArchTest
    static final ArchRule migPlansDoNoInputOrOutput = noClasses()
            .that()
            .resideInAPackage("io.gpuagent.mig.plan..")
            .should()
            .dependOnClassesThat(resideInAnyPackage(
                    "java.io..", "java.nio..", "java.net..", "io.gpuagent.host..", "io.gpuagent.nvml.."));

    @ArchTest
    static final ArchRule healthKnowsTheModelAndTheHostAlone = classes()
            .that()
            .resideInAPackage("io.gpuagent.health..")
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage(
                    "java..", "org.jspecify..", "io.gpuagent.health..", "io.gpuagent.host..", "io.gpuagent.model.."));

    @ArchTest
    static final ArchRule healthIsFoldedWithoutInputOutputAndThreads = noClasses()
            .that()
            .resideInAnyPackage("io.gpuagent.health.fold..", "io.gpuagent.health.line..")
            .should()
            .dependOnClassesThat(resideInAnyPackage(
                    "java.io..", "java.nio..", "java.net..", "java.util.concurrent..", "io.gpuagent.model.time.."));

    @ArchTest
    static final ArchRule healthsPackagesHaveNoCycles =
            slices().matching("io.gpuagent.health.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule exportersMakePagesOutOfTheModelAlone = noClasses()
            .that()
            .resideInAPackage("io.gpuagent.exporters..")
            .should()
            .dependOnClassesThat(resideInAnyPackage(
                    "io.gpuagent.nvml..",
                    "io.gpuagent.host..",
                    "io.gpuagent.mps..",
                    "io.gpuagent.mig..",
                    "io.gpuagent.agent..",
                    "io.vertx..",
                    "java.net.."));

    @ArchTest
    static final ArchRule nativeMemoryIsTouchedInTheBindingAndTheSimulatorOnly = noClasses()
            .that(not(resideInAPackage("io.gpuagent.nvml..")))
            .should()
            .dependOnClassesThat(resideInAPackage("java.lang.foreign.."));

    @ArchTest
    static final ArchRule nvmlIsAskedByThePollersOnly = noClasses()
            .that(resideInAPackage("io.gpuagent.agent..")
                    .and(not(resideInAnyPackage("io.gpuagent.agent.poll..", "io.gpuagent.agent.daemon.."))))
            .should()
            .dependOnClassesThat(resideInAPackage("io.gpuagent.nvml.."));

    @ArchTest
    static final ArchRule vertxStaysInTheServers = noClasses()
            .that(not(resideInAPackage("io.gpuagent.agent.http..")))
            .should()
            .dependOnClassesThat(resideInAnyPackage("io.vertx..", "io.netty.."));

    @ArchTest
    static final ArchRule theCommandLineReachesTheDaemonThroughItsFrontDoor = noClasses()
            .that()
            .resideInAPackage("io.gpuagent.agent.cli..")
            .should()
            .dependOnClassesThat(resideInAnyPackage("io.gpuagent.agent.http..", "io.gpuagent.agent.poll.."));

    @ArchTest
    static final ArchRule theAgentsPackagesHaveNoCycles =
            slices().matching("io.gpuagent.agent.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule timeComesFromOneClock = noClasses()
            .that(not(equivalentTo(SystemClock.class)))
            .should()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(Instant.class, "now")
            .orShould()
            .callMethod(Thread.class, "sleep", long.class)
            .orShould()
            .callMethod(Thread.class, "sleep", Duration.class)
            .orShould()
            .callMethod(TimeUnit.class, "sleep", long.class)
            .orShould()
            .callMethod(LocalDateTime.class, "now")
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(Clock.class);

    @ArchTest
    static final ArchRule onlyTheCommandLinePrints = noClasses()
            .that(not(resideInAPackage("io.gpuagent.agent.cli..")))
            .should()
            .accessField(System.class, "out")
            .orShould()
            .accessField(System.class, "err");

    @ArchTest
    static final ArchRule nothingRunsOnVirtualThreads = noClasses()
            .should()
            .callMethod(Thread.class, "ofVirtual")
            .orShould()
            .callMethod(Thread.class, "startVirtualThread", Runnable.class);

    @ArchTest
    static final ArchRule noProgramIsStartedButTheMpsControlItsDaemonSystemctlAndJournalctl = noClasses()
            .that(not(belongToAnyOf(
                            ProcessTransport.class,
                            DetachedLauncher.class,
                            SystemdLauncher.class,
                            PreviousBootLog.class))
                    // Runs what its user has written behind --, as that user.
                    .and(not(simpleName("ReleaseCommand"))))
            .should()
            .dependOnClassesThat()
            .areAssignableTo(ProcessBuilder.class);
}
