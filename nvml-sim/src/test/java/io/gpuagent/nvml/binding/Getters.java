// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.binding;

import io.gpuagent.nvml.Answer;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Every getter that can be reached from an object of the binding by calling methods without arguments, or with arguments
 * of which there are few: the constants of an enum, a small number, true and false. What a getter answers is followed, so
 * that the getters of a GPU instance that was listed are called, too.
 */
final class Getters {
    private static final String PACKAGE = "io.gpuagent.nvml";
    private static final int DEPTH = 4;

    private final Map<String, Object> answers = new TreeMap<>();
    private final Set<Object> seen = new HashSet<>();

    private Getters() {}

    /** What each getter answered, by how a caller writes it. */
    static Map<String, Object> callAll(String name, Object start) {
        Getters getters = new Getters();
        getters.walk(name, start, 0);
        return getters.answers;
    }

    private void walk(String name, Object object, int depth) {
        if (depth > DEPTH
                || !object.getClass().getPackageName().equals(PACKAGE)
                || object instanceof Record
                || object instanceof Enum<?>
                || !seen.add(object)) {
            return;
        }
        List<Method> methods = new ArrayList<>(Arrays.asList(object.getClass().getMethods()));
        methods.sort(Comparator.comparing(Method::toString));
        for (Method method : methods) {
            if (isGetter(method)) {
                for (Object[] arguments : arguments(method)) {
                    String called = name + "." + method.getName() + Arrays.toString(arguments);
                    follow(called, invoke(called, method, object, arguments), depth);
                }
            }
        }
    }

    private static boolean isGetter(Method method) {
        return !Modifier.isStatic(method.getModifiers())
                && method.getDeclaringClass() != Object.class
                && method.getReturnType() != void.class
                && !method.getName().equals("close");
    }

    private static List<Object[]> arguments(Method method) {
        List<Object[]> all = List.<Object[]>of(new Object[0]);
        for (Class<?> type : method.getParameterTypes()) {
            List<Object> values = values(type);
            List<Object[]> longer = new ArrayList<>();
            for (Object[] sofar : all) {
                for (Object value : values) {
                    Object[] more = Arrays.copyOf(sofar, sofar.length + 1);
                    more[sofar.length] = value;
                    longer.add(more);
                }
            }
            all = longer;
        }
        return all;
    }

    private static List<Object> values(Class<?> type) {
        if (type.isEnum()) {
            return List.of(type.getEnumConstants());
        } else if (type == int.class) {
            return List.of(0);
        } else if (type == long.class) {
            return List.of(0L);
        } else if (type == boolean.class) {
            return List.of(true, false);
        }
        return List.of(); // Nothing sensible to hand over: such a getter is left out.
    }

    private static Object invoke(String called, Method method, Object object, Object[] arguments) {
        try {
            return method.invoke(object, arguments);
        } catch (InvocationTargetException e) {
            throw new AssertionError(called + " threw " + e.getCause(), e.getCause());
        } catch (IllegalAccessException e) {
            throw new AssertionError(called + " cannot be called", e);
        }
    }

    private void follow(String called, Object result, int depth) {
        switch (result) {
            case null -> throw new AssertionError(called + " answered null");
            case Answer<?> answer -> {
                answers.put(called, answer);
                answer.value().ifPresent(value -> follow(called, value, depth));
            }
            case List<?> list -> list.forEach(element -> follow(called, element, depth));
            case Record record -> components(record).forEach(value -> follow(called, value, depth));
            default -> walk(called, result, depth + 1);
        }
    }

    private static List<Object> components(Record record) {
        List<Object> values = new ArrayList<>();
        if (!record.getClass().getPackageName().equals(PACKAGE)) {
            return values;
        }
        for (RecordComponent component : record.getClass().getRecordComponents()) {
            try {
                Object value = component.getAccessor().invoke(record);
                if (value != null && value.getClass().getPackageName().equals(PACKAGE)) {
                    values.add(value);
                }
            } catch (ReflectiveOperationException e) {
                throw new LinkageError(component + " cannot be read", e);
            }
        }
        return values;
    }
}
