// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/** Reads the steps of a scenario; goes on after a mistake, so that all are told at once. */
final class ScenarioReader {
    /** A step in flow style needs two levels; reading takes some stack for each. */
    private static final int MOST_LEVELS = 50;
    /** Ten years: nanoseconds do not overflow, also where the clock's own are added. */
    private static final long MOST_HOURS = 87_600;

    private static final Pattern DURATION = Pattern.compile("([0-9]{1,9})(ms|s|m|h)?");
    private static final Set<String> ACTIONS = with(
            MachineSteps.VERBS,
            "answer",
            "event",
            "hang",
            "heal",
            "lose",
            "mig-create",
            "mig-destroy",
            "mig-mode",
            "release",
            "set",
            "xid");
    private static final Set<String> NEED_GPU =
            with(MachineSteps.NEED_GPU, "event", "lose", "mig-create", "mig-destroy", "mig-mode", "set", "xid");

    private final String name;
    private final int gpus;
    private final List<String> mistakes = new ArrayList<>();

    ScenarioReader(String name, int gpus) {
        this.name = name;
        this.gpus = gpus;
    }

    List<Scenario.Step> read(String yaml) {
        List<Scenario.Step> steps = new ArrayList<>();
        Optional<Node> top = compose(yaml);
        if (top.isPresent() && top.get() instanceof SequenceNode list) {
            for (Node item : list.getValue()) {
                if (item instanceof MappingNode step) {
                    readStep(step, steps);
                } else {
                    mistake(item, "a step is a mapping such as {at: 10s, gpu: 1, do: hang}");
                }
            }
        } else if (top.isPresent()) {
            mistake(top.get(), "a scenario is a list of steps");
        }
        if (!mistakes.isEmpty()) {
            throw new ScenarioException(mistakes);
        }
        return steps;
    }

    private Optional<Node> compose(String yaml) {
        try {
            LoadSettings settings = LoadSettings.builder().setLabel(name).build();
            Optional<Mark> deep = new YamlNesting(settings, yaml).deeperThan(MOST_LEVELS);
            if (deep.isEmpty()) {
                return new Compose(settings).composeString(yaml);
            }
            mistakes.add(place(deep) + "lists and mappings are nested more than " + MOST_LEVELS + " levels deep");
        } catch (MarkedYamlEngineException e) {
            mistakes.add(place(e.getProblemMark()) + e.getProblem());
        } catch (YamlEngineException e) {
            mistakes.add(place(Optional.empty()) + e.getMessage());
        }
        return Optional.empty();
    }

    private void readStep(MappingNode node, List<Scenario.Step> steps) {
        Map<String, ScalarNode> keys = new LinkedHashMap<>();
        for (NodeTuple tuple : node.getValue()) {
            if (!(tuple.getKeyNode() instanceof ScalarNode key)
                    || !(tuple.getValueNode() instanceof ScalarNode value)) {
                mistake(tuple.getKeyNode(), "a step holds plain names and values only");
            } else if (keys.put(key.getValue(), value) != null) {
                mistake(key, key.getValue() + " is there twice");
            }
        }
        int before = mistakes.size();
        long at = duration(node, keys.remove("at"));
        int gpu = keys.containsKey("gpu") ? number(keys.remove("gpu"), 0, gpus - 1L) : -1;
        @Nullable ScalarNode verb = keys.remove("do");
        if (verb == null) {
            mistake(node, "do is missing: one of " + String.join(", ", sorted(ACTIONS)));
            return;
        }
        @Nullable Consumer<SimulatedDriver> action = action(verb, gpu, keys);
        keys.forEach((key, value) -> mistake(value, key + " does not belong to do: " + verb.getValue()));
        if (action != null && mistakes.size() == before) {
            steps.add(new Scenario.Step(at, action));
        }
    }

    private @Nullable Consumer<SimulatedDriver> action(ScalarNode verb, int gpu, Map<String, ScalarNode> keys) {
        if (gpu < 0 && NEED_GPU.contains(verb.getValue())) {
            mistake(verb, "do: " + verb.getValue() + " needs a gpu");
        }
        return switch (verb.getValue()) {
            case "answer" -> answer(verb, gpu, keys);
            case "hang" -> {
                String function = function(keys);
                yield driver -> faults(driver, gpu).hang(function);
            }
            case "release" -> {
                String function = function(keys);
                yield driver -> faults(driver, gpu).release(function);
            }
            case "event" -> {
                long type = needed(verb, "type", keys, 1, Integer.MAX_VALUE);
                yield driver -> driver.gpu(gpu).raise(type);
            }
            case "xid" -> xid(verb, gpu, keys);
            case "mig-mode" -> {
                boolean isOn = needed(verb, "on", keys, 0, 1) == 1;
                yield driver -> driver.gpu(gpu).mig().setMode(isOn);
            }
            case "mig-create" -> migCreate(verb, gpu, keys);
            case "mig-destroy" -> {
                int instance = needed(verb, "instance", keys, 0, 255);
                yield driver -> driver.gpu(gpu).mig().destroy(instance);
            }
            case "heal" -> driver -> heal(driver, gpu);
            case "lose" -> driver -> driver.gpu(gpu).lose();
            case "set" -> pins(keys, gpu);
            default -> {
                if (MachineSteps.VERBS.contains(verb.getValue())) {
                    yield new MachineSteps(new Arguments(verb, keys), gpus).action(verb.getValue(), gpu);
                }
                mistake(verb, verb.getValue() + " is none of " + String.join(", ", sorted(ACTIONS)));
                keys.clear();
                yield null;
            }
        };
    }

    /** What a step says, for those who read it elsewhere. */
    private final class Arguments implements StepArguments {
        private final ScalarNode verb;
        private final Map<String, ScalarNode> keys;
        private final Map<String, ScalarNode> read = new LinkedHashMap<>();

        Arguments(ScalarNode verb, Map<String, ScalarNode> keys) {
            this.verb = verb;
            this.keys = keys;
        }

        @Override
        public boolean has(String key) {
            return keys.containsKey(key);
        }

        private @Nullable ScalarNode take(String key) {
            @Nullable ScalarNode node = keys.remove(key);
            if (node != null) {
                read.put(key, node);
            }
            return node;
        }

        @Override
        public Optional<String> text(String key) {
            return Optional.ofNullable(take(key)).map(ScalarNode::getValue);
        }

        @Override
        public int number(String key, long least, long most, int otherwise) {
            @Nullable ScalarNode node = take(key);
            return node == null ? otherwise : ScenarioReader.this.number(node, least, most);
        }

        @Override
        public int needed(String key, long least, long most) {
            if (!has(key)) {
                ScenarioReader.this.mistake(verb, key + " is missing");
            }
            return number(key, least, most, 0);
        }

        @Override
        public void mistake(String key, String what) {
            ScenarioReader.this.mistake(read.getOrDefault(key, verb), what);
        }
    }

    private static Set<String> with(Set<String> some, String... more) {
        return Stream.concat(some.stream(), Stream.of(more)).collect(Collectors.toUnmodifiableSet());
    }

    private Consumer<SimulatedDriver> answer(ScalarNode verb, int gpu, Map<String, ScalarNode> keys) {
        String function = function(keys);
        @Nullable ScalarNode codeNode = keys.remove("code");
        if (codeNode == null) {
            mistake(verb, "code is missing");
        }
        int code = number(codeNode, 1, 999);
        int times = number(keys.remove("times"), 1, Integer.MAX_VALUE);
        return driver -> {
            if (times == 0) {
                faults(driver, gpu).answer(function, code);
            } else {
                faults(driver, gpu).answerTimes(function, code, times);
            }
        };
    }

    private Consumer<SimulatedDriver> xid(ScalarNode verb, int gpu, Map<String, ScalarNode> keys) {
        int code = needed(verb, "code", keys, 1, 9999);
        boolean isOnInstance = keys.containsKey("instance");
        int instance = number(keys.remove("instance"), 0, 255);
        boolean isOnCompute = keys.containsKey("compute");
        int compute = number(keys.remove("compute"), 0, 255);
        return driver -> driver.gpu(gpu)
                .raiseXid(code, isOnInstance ? instance : Event.NO_INSTANCE, isOnCompute ? compute : Event.NO_INSTANCE);
    }

    /** A GPU instance with one compute instance that takes all of it. */
    private Consumer<SimulatedDriver> migCreate(ScalarNode verb, int gpu, Map<String, ScalarNode> keys) {
        @Nullable ScalarNode profile = keys.remove("profile");
        int start = needed(verb, "start", keys, 0, 255);
        if (profile == null) {
            mistake(verb, "profile is missing");
            return driver -> {};
        }
        return driver -> driver.gpu(gpu).mig().create(profile.getValue(), start, profile.getValue());
    }

    private int needed(ScalarNode verb, String key, Map<String, ScalarNode> keys, int least, int most) {
        @Nullable ScalarNode node = keys.remove(key);
        if (node == null) {
            mistake(verb, key + " is missing");
        }
        return number(node, least, most);
    }

    private Consumer<SimulatedDriver> pins(Map<String, ScalarNode> keys, int gpu) {
        List<Consumer<SimulatedGpu>> pins = new ArrayList<>();
        for (ScenarioSetting setting : ScenarioSetting.ALL) {
            @Nullable ScalarNode node = keys.remove(setting.key());
            if (node != null) {
                int value = number(node, setting.least(), setting.most());
                pins.add(target -> setting.apply(target, value));
            }
        }
        return driver -> pins.forEach(pin -> pin.accept(driver.gpu(gpu)));
    }

    private static Faults faults(SimulatedDriver driver, int gpu) {
        return gpu < 0 ? driver.faults() : driver.gpu(gpu).faults();
    }

    private static void heal(SimulatedDriver driver, int gpu) {
        faults(driver, gpu).clear();
        if (gpu >= 0) {
            driver.gpu(gpu).unpin();
        }
    }

    private String function(Map<String, ScalarNode> keys) {
        @Nullable ScalarNode node = keys.remove("function");
        if (node == null) {
            return Faults.ALL;
        }
        if (!Faults.isKnown(node.getValue())) {
            mistake(node, node.getValue() + " is not a function of nvml.h");
        }
        return node.getValue();
    }

    private long duration(Node step, @Nullable ScalarNode node) {
        if (node == null) {
            mistake(step, "at is missing: the time since the start, such as 90s or 5m");
            return 0;
        }
        Matcher parts = DURATION.matcher(node.getValue());
        if (!parts.matches()) {
            mistake(node, node.getValue() + " is not a time such as 500ms, 90s, 5m or 1h");
            return 0;
        }
        long unit = switch (Optional.ofNullable(parts.group(2)).orElse("s")) {
            case "ms" -> 1_000_000L;
            case "m" -> 60_000_000_000L;
            case "h" -> 3_600_000_000_000L;
            default -> 1_000_000_000L;
        };
        long count = Long.parseLong(parts.group(1));
        if (count > MOST_HOURS * 3_600_000_000_000L / unit) {
            mistake(node, node.getValue() + " is more than the " + MOST_HOURS + "h that a scenario may take");
            return 0;
        }
        return count * unit;
    }

    /** Where there is no such key, that is 0. */
    private int number(@Nullable ScalarNode node, long least, long most) {
        if (node == null) {
            return 0;
        }
        try {
            int number = Integer.decode(node.getValue());
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Told below, like a number that is out of range.
        }
        mistake(node, node.getValue() + " is not a whole number from " + least + " to " + most);
        return 0;
    }

    private static List<String> sorted(Set<String> names) {
        return names.stream().sorted().toList();
    }

    private void mistake(Node node, String what) {
        mistakes.add(place(node.getStartMark()) + what);
    }

    private String place(Optional<Mark> mark) {
        return mark.map(at -> name + ":" + (at.getLine() + 1) + ":" + (at.getColumn() + 1) + ": ")
                .orElse(name + ": ");
    }
}
