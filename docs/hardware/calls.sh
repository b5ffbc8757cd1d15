#!/usr/bin/env bash
# Measures what the binding costs on a real GPU, beside the same calls in C: calls of 0.3 µs to 3 ms, the start, the first
# call of each number of arguments, and what a poll allocates. Reads only.
#
#   GPU_AGENT_DIST=FOLDER docs/hardware/calls.sh OUTPUT-FOLDER [LIBRARY]
#
# FOLDER holds runtime/bin/java (with the module jdk.management), lib/*.jar with bench's jar among them, and jvm.options.
# Needs gcc and taskset. LIBRARY is the driver's libnvidia-ml.so.1 where it is not given. Writes calls.md and calls.json, and
# the same with the second compiler as calls-c2.md and calls-c2.json. In both, C and Java take turns on one processor: on
# two, the faster processor decides (on an H200's machine one and the same call took 340 or 550 ns). A start wants more
# than one processor, so it is to be read in start.md, which is measured without that.
set -euo pipefail
here=$(cd "$(dirname "$0")/../.." && pwd)
out=${1:?name an output folder}
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
java=$GPU_AGENT_DIST/runtime/bin/java
library=${2:-$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p | awk '$1 == "libnvidia-ml.so.1" {print $NF; exit}')}
if [ -z "$library" ]; then
    echo "ldconfig knows no libnvidia-ml.so.1; name the library as the second argument" >&2
    exit 2
fi
export MALLOC_ARENA_MAX=2
gcc -O2 -I "$here/nvml-ffm/src/main/native" -o "$work/nvml-loop" "$here/bench/src/main/c/nvml-loop.c" -ldl

one=(taskset -c "$(taskset -cp $$ | grep -o '[0-9]*$')")
measure() { # FOLDER JVM-OPTIONS
    "${one[@]}" "$java" "@$2" -cp "$GPU_AGENT_DIST/lib/*" io.gpuagent.bench.BindingCost "$work/nvml-loop" "$library" "$2" "$1"
}

{
    echo "processor: $(awk -F': ' '/^model name/ {print $2; exit}' /proc/cpuinfo), $(nproc) of them; load $(cut -d' ' -f1-3 /proc/loadavg)"
    if command -v nvidia-smi >/dev/null; then nvidia-smi --query-gpu=name,driver_version,persistence_mode --format=csv,noheader; fi
} | tee "$out/machine.txt"
echo "== the agent's flags"
measure "$out" "$GPU_AGENT_DIST/jvm.options" 2>"$out/calls.err"
echo "== the same with the second compiler"
grep -v '^-XX:TieredStopAtLevel' "$GPU_AGENT_DIST/jvm.options" >"$work/jvm.options"
measure "$work/c2" "$work/jvm.options" 2>"$out/calls-c2.err"
cp "$work/c2/calls.md" "$out/calls-c2.md"
cp "$work/c2/calls.json" "$out/calls-c2.json"
echo "== the start, with all processors"
one=()
measure "$work/start" "$GPU_AGENT_DIST/jvm.options" 2>"$out/start.err" >"$work/start.txt"
sed -n '/first use/,$p' "$work/start/calls.md" | tee "$out/start.md"
