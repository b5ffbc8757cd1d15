// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/** Reads the steps of a scenario; goes on after a mistake, so that all are told at once. */
final class ScenarioReader {
    /** A step in flow style needs two levels; reading takes some stack for each. */
    private static final int MOST_LEVELS = 50;

    private static final List<String> ACTIONS = with(
            MachineSteps.VERBS,
            "answer",
            "delay",
            "event",
            "garbage",
            "hang",
            "heal",
            "lose",
            "mig-create",
            "mig-destroy",
            "mig-mode",
            "missing",
            "release",
            "reset-counters",
            "set",
            "xid");
    private static final Set<String> NEED_GPU = Set.copyOf(with(
            MachineSteps.NEED_GPU,
            "event",
            "lose",
            "mig-create",
            "mig-destroy",
            "mig-mode",
            "reset-counters",
            "set",
            "xid"));

    private final String name;
    private final int gpus;
    private final ScenarioMistakes mistakes;

    ScenarioReader(String name, int gpus) {
        this.name = name;
        this.gpus = gpus;
        this.mistakes = new ScenarioMistakes(name);
    }

    List<Scenario.Step> read(String yaml) {
        List<Scenario.Step> steps = new ArrayList<>();
        Optional<Node> top = compose(yaml);
        if (top.isPresent() && top.get() instanceof SequenceNode list) {
            for (Node item : list.getValue()) {
                if (item instanceof MappingNode step) {
                    readStep(step).ifPresent(steps::add);
                } else {
                    mistakes.add(item, "a step is a mapping such as {at: 10s, gpu: 1, do: hang}");
                }
            }
        } else if (top.isPresent()) {
            mistakes.add(top.get(), "a scenario is a list of steps");
        }
        mistakes.throwIfAny();
        return steps;
    }

    private Optional<Node> compose(String yaml) {
        try {
            LoadSettings settings = LoadSettings.builder().setLabel(name).build();
            Optional<Mark> deep = new YamlNesting(settings, yaml).deeperThan(MOST_LEVELS);
            if (deep.isEmpty()) {
                return new Compose(settings).composeString(yaml);
            }
            mistakes.add(deep, "lists and mappings are nested more than " + MOST_LEVELS + " levels deep");
        } catch (MarkedYamlEngineException e) {
            mistakes.add(e.getProblemMark(), e.getProblem());
        } catch (YamlEngineException e) {
            mistakes.add(Optional.empty(), String.valueOf(e.getMessage()));
        }
        return Optional.empty();
    }

    private Optional<Scenario.Step> readStep(MappingNode node) {
        int before = mistakes.count();
        StepKeys keys = new StepKeys(node, mistakes);
        Duration at = keys.neededTime("at", "the time since the start, such as 90s or 5m");
        int gpu = keys.number("gpu", 0, gpus - 1L, -1);
        Optional<String> verb = keys.verb();
        if (verb.isEmpty()) {
            mistakes.add(node, "do is missing: one of " + String.join(", ", ACTIONS));
            return Optional.empty();
        }
        if (!ACTIONS.contains(verb.get())) {
            String near = NearestWord.advice(verb.get(), ACTIONS);
            keys.mistake("do", verb.get() + " is none of " + String.join(", ", ACTIONS) + near);
            return Optional.empty();
        }
        if (NEED_GPU.contains(verb.get()) && !keys.has("gpu")) {
            keys.mistake("do", "do: " + verb.get() + " needs a gpu");
        }
        Consumer<SimulatedDriver> action = action(verb.get(), at, gpu, keys);
        keys.finish(verb.get());
        return mistakes.count() == before ? Optional.of(new Scenario.Step(at.toNanos(), action)) : Optional.empty();
    }

    private static List<String> with(Set<String> some, String... more) {
        return Stream.concat(some.stream(), Stream.of(more)).sorted().toList();
    }

    private Consumer<SimulatedDriver> action(String verb, Duration at, int gpu, StepKeys keys) {
        return switch (verb) {
            case "answer" -> FaultSteps.answer(keys, gpu);
            case "hang" -> FaultSteps.hang(keys, gpu);
            case "release" -> FaultSteps.release(keys, gpu);
            case "delay" -> FaultSteps.delay(keys, gpu);
            case "garbage" -> FaultSteps.garbage(keys, gpu);
            case "heal" -> FaultSteps.heal(keys, gpu);
            case "missing" -> FaultSteps.missing(keys, at);
            case "lose" -> driver -> driver.gpu(gpu).lose();
            case "reset-counters" -> driver -> driver.gpu(gpu).resetCounters();
            case "event" -> {
                long type = keys.needed("type", 1, Integer.MAX_VALUE);
                yield driver -> driver.gpu(gpu).raise(type);
            }
            case "xid" -> xid(keys, gpu);
            case "mig-mode" -> {
                boolean isOn = keys.needed("on", 0, 1) == 1;
                yield driver -> driver.gpu(gpu).mig().setMode(isOn);
            }
            case "mig-create" -> migCreate(keys, gpu);
            case "mig-destroy" -> {
                int instance = keys.needed("instance", 0, 255);
                yield driver -> driver.gpu(gpu).mig().destroy(instance);
            }
            case "set" -> pins(keys, gpu);
            default -> new MachineSteps(keys, gpus).action(verb, gpu);
        };
    }

    private static Consumer<SimulatedDriver> xid(StepKeys keys, int gpu) {
        int code = keys.needed("code", 1, 9999);
        int instance = keys.number("instance", 0, 255, Event.NO_INSTANCE);
        int compute = keys.number("compute", 0, 255, Event.NO_INSTANCE);
        return driver -> driver.gpu(gpu).raiseXid(code, instance, compute);
    }

    /** A GPU instance with one compute instance that takes all of it. */
    private static Consumer<SimulatedDriver> migCreate(StepKeys keys, int gpu) {
        int start = keys.needed("start", 0, 255);
        Optional<String> profile = keys.neededText("profile");
        return driver -> profile.ifPresent(name -> driver.gpu(gpu).mig().create(name, start, name));
    }

    private static Consumer<SimulatedDriver> pins(StepKeys keys, int gpu) {
        List<Consumer<SimulatedGpu>> pins = new ArrayList<>();
        for (ScenarioSetting setting : ScenarioSetting.ALL) {
            if (keys.has(setting.key())) {
                int value = keys.needed(setting.key(), setting.least(), setting.most());
                pins.add(target -> setting.apply(target, value));
            }
        }
        return driver -> pins.forEach(pin -> pin.accept(driver.gpu(gpu)));
    }
}
