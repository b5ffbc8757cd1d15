// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.layout;

import io.gpuagent.agent.config.BadValueException;
import io.gpuagent.agent.config.Quoted;
import io.gpuagent.agent.config.YamlSection;
import java.util.function.Function;

/** How single values of layout files are read. */
final class Values {
    private Values() {}

    /** YAML 1.2 knows true and false alone, but people write a mode as it is called. */
    static boolean mode(String text) throws BadValueException {
        return switch (text) {
            case "on", "true" -> true;
            case "off", "false" -> false;
            default -> throw new BadValueException(Quoted.of(text) + " is neither on nor off", "write one of them");
        };
    }

    static boolean truth(String text) throws BadValueException {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new BadValueException(Quoted.of(text) + " is neither true nor false", "write one of them");
        };
    }

    static String word(String text) throws BadValueException {
        if (text.isBlank()) {
            throw new BadValueException("the text is empty", "write one");
        }
        return text.strip();
    }

    static YamlSection.Parser<Integer> whole(int least, int most) {
        return text -> {
            boolean isNumber =
                    !text.isEmpty() && text.length() <= 4 && text.chars().allMatch(c -> c >= '0' && c <= '9');
            if (!isNumber || Integer.parseInt(text) < least || Integer.parseInt(text) > most) {
                throw new BadValueException(
                        Quoted.of(text) + " is no whole number from " + least + " to " + most, "write one");
            }
            return Integer.parseInt(text);
        };
    }

    /** For parsers of the model, whose exceptions say what is wrong and what would be right in one sentence. */
    static <T> YamlSection.Parser<T> of(Function<String, T> parser) {
        return text -> {
            try {
                return parser.apply(text);
            } catch (IllegalArgumentException e) {
                String[] parts = String.valueOf(e.getMessage()).split("[;:] ", 2);
                throw new BadValueException(parts[0], parts.length == 2 ? parts[1] : "see docs/layout.md");
            }
        };
    }
}
