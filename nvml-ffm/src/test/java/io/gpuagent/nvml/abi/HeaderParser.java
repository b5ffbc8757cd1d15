// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.abi;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the functions and structs of {@code nvml.h}, as far as a binding needs them: no preprocessor, only the plain
 * style in which the header is written.
 */
public final class HeaderParser {
    private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|//[^\n]*");
    private static final Pattern DIRECTIVE = Pattern.compile("(?m)^[ \t]*#(?:[^\n]*\\\\\n)*[^\n]*$");
    private static final Pattern FUNCTION = Pattern.compile(
            "(nvmlReturn_t\\s+DECLDIR|const\\s+DECLDIR\\s+char\\s*\\*)\\s+(nvml\\w+)\\s*\\(([^)]*)\\)\\s*;");
    private static final Pattern TYPEDEF = Pattern.compile("typedef\\s+([^;{]*?)\\s*([;{])");
    private static final Pattern MEMBER = Pattern.compile("(\\w+)\\s*(?:\\[[^\\]]*\\]\\s*)*;");

    private final SortedMap<String, Function> functions = new TreeMap<>();
    private final Map<String, List<String>> structs = new LinkedHashMap<>();
    /** Typedef name to P, I or L, for types that are passed by value. */
    private final Map<String, Character> scalars =
            new HashMap<>(Map.of("unsigned int", 'I', "int", 'I', "unsigned long long", 'L', "nvmlReturn_t", 'I'));

    /**
     * A function as the header declares it.
     *
     * @param name C name
     * @param kinds one letter per parameter: P pointer or handle, I 32 bits, L 64 bits
     * @param returns I for {@code nvmlReturn_t}, P for a string
     * @param parameters the parameter list in C, white space normalised
     */
    public record Function(String name, String kinds, char returns, String parameters) {}

    private HeaderParser(String header) {
        String code = DIRECTIVE.matcher(COMMENT.matcher(header).replaceAll(" ")).replaceAll("");
        readTypedefs(code);
        Matcher declaration = FUNCTION.matcher(code);
        while (declaration.find()) {
            char returns = declaration.group(1).startsWith("const") ? 'P' : 'I';
            String parameters = declaration.group(3).strip().replaceAll("\\s+", " ");
            functions.put(
                    declaration.group(2), new Function(declaration.group(2), kinds(parameters), returns, parameters));
        }
    }

    /**
     * Reads the header vendored in this module.
     *
     * @return what it declares
     * @throws IOException when it cannot be read
     */
    public static HeaderParser ofVendoredHeader() throws IOException {
        return new HeaderParser(Files.readString(nativeFolder().resolve("nvml.h"), StandardCharsets.UTF_8));
    }

    /**
     * Where the header and the C probe are.
     *
     * @return the folder
     */
    public static Path nativeFolder() {
        return Path.of("src", "main", "native");
    }

    /**
     * All functions of the header, old versions included.
     *
     * @return by C name, sorted
     */
    public SortedMap<String, Function> functions() {
        return functions;
    }

    /**
     * All struct and union typedefs that have a body, with the names of the members they declare, nested ones included.
     *
     * @return by typedef name, in the header's order
     */
    public Map<String, List<String>> structs() {
        return structs;
    }

    /**
     * The functions in the form of {@code nvml-functions.json}.
     *
     * @return the JSON text, one line per function
     */
    public String functionsAsJson() {
        StringBuilder json = new StringBuilder("{");
        String separator = "\n";
        for (Function function : functions.values()) {
            json.append(separator)
                    .append("  \"")
                    .append(function.name())
                    .append("\": {\"kinds\": \"")
                    .append(function.kinds())
                    .append("\", \"returns\": \"")
                    .append(function.returns())
                    .append("\", \"parameters\": \"")
                    .append(function.parameters())
                    .append("\"}");
            separator = ",\n";
        }
        return json.append("\n}\n").toString();
    }

    /**
     * Prints {@code nvml-functions.json}; run from this module's folder.
     *
     * @param args the file to write
     * @throws IOException when the header cannot be read or the file cannot be written
     */
    public static void main(String[] args) throws IOException {
        Files.writeString(Path.of(args[0]), ofVendoredHeader().functionsAsJson(), StandardCharsets.UTF_8);
    }

    private void readTypedefs(String code) {
        Matcher typedef = TYPEDEF.matcher(code);
        int from = 0;
        while (typedef.find(from)) {
            if (typedef.group(2).equals("{")) {
                int close = closingBrace(code, typedef.end());
                int end = code.indexOf(';', close);
                readBody(typedef.group(1), code.substring(typedef.end(), close), code.substring(close + 1, end));
                from = end;
            } else {
                readScalar(typedef.group(1).replaceAll("\\s+", " "));
                from = typedef.end();
            }
        }
    }

    private void readBody(String kind, String body, String names) {
        for (String name : names.split(",", -1)) {
            if (kind.startsWith("enum")) {
                scalars.put(name.strip(), 'I');
            } else {
                List<String> members = new ArrayList<>();
                Matcher member = MEMBER.matcher(body);
                while (member.find()) {
                    members.add(member.group(1));
                }
                structs.put(name.strip(), members);
            }
        }
    }

    private void readScalar(String typedef) {
        int space = typedef.lastIndexOf(' ');
        String name = typedef.substring(space + 1);
        String original = typedef.substring(0, space).strip();
        if (original.endsWith("*")) {
            scalars.put(name, 'P');
        } else if (scalars.containsKey(original)) {
            scalars.put(name, scalars.get(original));
        }
    }

    private String kinds(String parameters) {
        StringBuilder kinds = new StringBuilder();
        if (!parameters.equals("void")) {
            for (String parameter : parameters.split(",", -1)) {
                kinds.append(kind(parameter.strip()));
            }
        }
        return kinds.toString();
    }

    private char kind(String parameter) {
        if (parameter.contains("*") || parameter.contains("[")) {
            return 'P';
        }
        String type = parameter.substring(0, parameter.lastIndexOf(' '));
        Character kind = scalars.get(type);
        if (kind == null) {
            throw new IllegalStateException("nvml.h passes a " + type + " by value, which no call shape covers");
        }
        return kind;
    }

    private static int closingBrace(String code, int from) {
        int depth = 1;
        int at = from;
        while (depth > 0) {
            depth += switch (code.charAt(at)) {
                case '{' -> 1;
                case '}' -> -1;
                default -> 0;
            };
            at++;
        }
        return at - 1;
    }
}
