#!/usr/bin/env bash
# Asks a real GPU everything that the binding can ask, and captures what its NVML answers. Reads only.
#
#   GPU_AGENT_DIST=FOLDER docs/hardware/binding.sh OUTPUT-FOLDER
#
# FOLDER holds runtime/bin/java, lib/*.jar, jvm.options and getters/ (the compiled classes of nvml-sim's tests). With gcc
# and the machine's own nvml.h, the struct facts are compared with that header, too.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?name an output folder}
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
java=$GPU_AGENT_DIST/runtime/bin/java
agent() { "$java" "@$GPU_AGENT_DIST/jvm.options" -cp "$GPU_AGENT_DIST/lib/*" io.gpuagent.agent.Main "$@"; }

echo "== every getter of the binding, once"
timeout 120 "$java" --enable-native-access=ALL-UNNAMED -cp "$GPU_AGENT_DIST/lib/*:$GPU_AGENT_DIST/getters" \
    io.gpuagent.nvml.binding.GettersOfThisMachine >"$out/getters.txt" 2>"$out/getters.err"
echo "exit $?: $(tail -1 "$out/getters.txt")"

echo "== capture, and the page of its replay"
time timeout 180 "$java" "@$GPU_AGENT_DIST/jvm.options" -cp "$GPU_AGENT_DIST/lib/*" io.gpuagent.agent.Main \
    capture -o "$out/capture.json" 2>"$out/capture.err"
echo "exit $?, $(stat -c %s "$out/capture.json") bytes"
agent metrics >"$out/card.prom"
agent metrics --simulate "$out/capture.json" >"$out/replay.prom"
echo "exit $?"
series() { grep -v '^#' "$1" | grep -v '^gpu_agent_' | sed 's/ [^ ]*$//; s/uuid="[^"]*"/uuid=""/; s/serial="[^"]*"/serial=""/' | sort; }
series "$out/card.prom" >"$work/card"
series "$out/replay.prom" >"$work/replay"
echo "series on the card: $(wc -l <"$work/card"), of the replay: $(wc -l <"$work/replay"); different:"
diff "$work/card" "$work/replay" && echo "none"

if command -v gcc >/dev/null; then
    for header in /usr/local/cuda*/targets/*/include/nvml.h; do
        [ -f "$header" ] || continue
        echo "== structs of $header"
        cp "$here/../../nvml-ffm/src/main/native/nvml-structs.c" "$header" "$work/"
        gcc -o "$work/structs" "$work/nvml-structs.c" && "$work/structs" >"$work/structs.json" &&
            diff "$work/structs.json" "$here/../../nvml-ffm/src/main/resources/io/gpuagent/nvml/abi/nvml-structs.json" |
            head -20 && echo "compared: $(wc -l <"$work/structs.json") lines, $(cmp -s "$header" "$here/../../nvml-ffm/src/main/native/nvml.h" && echo "the header is the vendored one" || echo "the header differs from the vendored one")"
        break
    done
fi
