#!/usr/bin/env bash
# Runs gpu-agent on a machine with a real NVIDIA GPU and compares what it says with nvidia-smi, read in the same second.
# Reads only: it changes nothing on the card.
#
#   docs/hardware/one-gpu.sh [OUTPUT-FOLDER]
#
# Needs nvidia-smi, python3 and curl, and either ./gpu-agent (a JDK 25) or GPU_AGENT_DIST: an unpacked folder with
# runtime/bin/java, lib/*.jar and jvm.options. Results: OUTPUT-FOLDER/report.md and what it was made from.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-./hardware-report}
mkdir -p "$out"
work=$(mktemp -d)
chmod 755 "$work"
port=19836
trap 'kill $(jobs -p) 2>/dev/null; wait 2>/dev/null; rm -rf "$work"' EXIT

if [ -n "${GPU_AGENT_DIST:-}" ]; then
    java=$GPU_AGENT_DIST/runtime/bin/java
    aot=$work/gpu-agent.aot
    agent() {
        local cache=()
        [ -f "$aot" ] && cache=(-XX:AOTCache="$aot")
        MALLOC_ARENA_MAX=2 "$java" "@$GPU_AGENT_DIST/jvm.options" "${cache[@]}" -cp "$GPU_AGENT_DIST/lib/*" \
            io.gpuagent.agent.Main "$@"
    }
    # The cache is trained over the simulator, so that a machine without a GPU can train it too.
    "$java" "@$GPU_AGENT_DIST/jvm.options" -XX:AOTCacheOutput="$aot" -cp "$GPU_AGENT_DIST/lib/*" \
        io.gpuagent.agent.Main metrics --simulate h200x2 >"$work/train.prom" 2>"$out/aot-training.txt"
    [ -f "$aot" ] && chmod 644 "$aot"
else
    agent() { "$here/../../gpu-agent" "$@"; }
fi

fields=index,uuid,pci.bus_id,name,driver_version,memory.total,memory.used,memory.free,memory.reserved,power.draw.average
fields+=,power.draw.instant,enforced.power.limit,temperature.gpu,temperature.memory,clocks.gr,clocks.sm,clocks.mem,clocks.video
fields+=,clocks.max.gr,clocks.max.sm,clocks.max.mem,pstate,utilization.gpu,utilization.memory,ecc.mode.current
fields+=,ecc.errors.corrected.volatile.total,ecc.errors.uncorrected.volatile.total
fields+=,ecc.errors.corrected.aggregate.total,ecc.errors.uncorrected.aggregate.total
fields+=,remapped_rows.correctable,remapped_rows.uncorrectable,remapped_rows.pending,remapped_rows.failure
fields+=,pcie.link.gen.current,pcie.link.width.current,mig.mode.current,persistence_mode,compute_mode
smi() { nvidia-smi --query-gpu=$fields --format=csv,nounits; }

echo "== one poll without a daemon"
( smi >"$out/smi-oneshot.csv" ) &
agent metrics >"$out/metrics-oneshot.prom" 2>"$out/metrics-oneshot.err"
echo "exit $?"
wait %1 2>/dev/null

serve() { # NAME RUNTIME-DIR COMMAND-PREFIX...: starts an agent and waits until it is ready
    local name=$1 dir=$2
    shift 2
    "$@" serve --listen 127.0.0.1:$port --runtime-dir "$dir/run" --state-dir "$dir/state" >"$out/serve-$name.log" 2>&1 &
    serving=$!
    for _ in $(seq 1 200); do
        curl -sf -o /dev/null 127.0.0.1:$port/-/ready && return 0
        sleep 0.1
    done
    echo "the agent did not become ready; see serve-$name.log"
    return 1
}
compare() { # NAME: the page and nvidia-smi in the same second
    curl -s 127.0.0.1:$port/metrics >"$out/$1.prom"
    smi >"$out/$1-smi.csv"
    python3 "$here/compare.py" "$out/$1.prom" "$out/$1-smi.csv"
}

{
    echo "# gpu-agent against nvidia-smi"
    echo
    nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
    echo
    serve idle "$work/a" agent
    sleep 17 # One slow interval and a little.
    echo "## Idle"
    echo
    compare idle
    echo
    echo "## Under load (matrix products for a few seconds)"
    echo
    if python3 -c 'import torch' 2>/dev/null; then
        python3 "$here/load.py" 14 >"$out/load.txt" 2>&1 &
        loading=$!
        sleep 9
        compare load
        echo
        agent status --socket "$work/a/run/gpu-agent.sock" >"$out/status-load.txt" 2>&1
        echo '```'
        cat "$out/status-load.txt"
        echo '```'
        wait $loading
    else
        echo "no torch here: left out"
    fi
    echo
    echo "## Cost"
    echo
    pid=$(pgrep -n -f "Main serve --listen 127.0.0.1:$port")
    before=$(awk '{print $14+$15}' "/proc/$pid/stat")
    sleep 20
    after=$(awk '{print $14+$15}' "/proc/$pid/stat")
    echo "CPU at 1 Hz without scrapes: $(python3 -c "print(round(($after-$before)/20/$(getconf CLK_TCK)*100,2))") % of a core"
    echo "Memory: $(grep -E 'VmRSS|RssAnon' "/proc/$pid/status" | tr -s '\t\n ' ' ')"
    curl -s 127.0.0.1:$port/metrics >"$out/cost.prom"
    grep -E '^gpu_agent_poll_seconds|^gpu_agent_page_render' "$out/cost.prom"
    for _ in $(seq 1 20); do curl -s -o /dev/null -w '%{time_total}\n' 127.0.0.1:$port/metrics; sleep 0.2; done |
        sort -n | awk '{t[NR]=$1} END {print "Scrape: median " t[int(NR/2)] " s, largest " t[NR] " s"}'
    start=$(date +%s%N)
    kill "$pid"
    while kill -0 "$pid" 2>/dev/null; do sleep 0.01; done
    echo "SIGTERM to end: $((($(date +%s%N) - start) / 1000000)) ms"
    echo
    echo "## As a user without rights (uid 65534)"
    echo
    mkdir -p "$work/b" && chown 65534:65534 "$work/b"
    nobody() { setpriv --reuid 65534 --regid 65534 --clear-groups env HOME=/nonexistent "$@"; }
    if [ -n "${GPU_AGENT_DIST:-}" ]; then
        export MALLOC_ARENA_MAX=2
        serve nobody "$work/b" nobody "$java" "@$GPU_AGENT_DIST/jvm.options" -cp "$GPU_AGENT_DIST/lib/*" io.gpuagent.agent.Main
        sleep 17
        compare nobody
        grep -o '^gpu_[a-z_]*' "$out/idle.prom" | sort -u >"$work/root"
        grep -o '^gpu_[a-z_]*' "$out/nobody.prom" | sort -u >"$work/nobody"
        echo
        echo "Families as root: $(wc -l <"$work/root"), as nobody: $(wc -l <"$work/nobody"); missing as nobody:" \
            "$(comm -23 "$work/root" "$work/nobody" | tr '\n' ' ')"
        grep '^gpu_agent_absent_readings' "$out/nobody.prom" | grep -v ' 0.0$'
        setpriv --reuid 65534 --regid 65534 --clear-groups "$java" "@$GPU_AGENT_DIST/jvm.options" -cp \
            "$GPU_AGENT_DIST/lib/*" io.gpuagent.agent.Main status --socket "$work/b/run/gpu-agent.sock"
        echo "status as nobody: exit $?"
        kill $serving
        wait $serving 2>/dev/null
    else
        echo "only with GPU_AGENT_DIST, which that user can read: left out"
    fi
} 2>&1 | tee "$out/report.md"
# The report can be shown to others: its identifiers are replaced.
n=0
for uuid in $(nvidia-smi --query-gpu=uuid --format=csv,noheader); do
    n=$((n + 1))
    sed -i "s/$uuid/$(printf 'GPU-00000000-0000-0000-0000-%012d' $n)/g" "$out/report.md"
done
sed -i "s#$work#WORK#g" "$out/report.md"
