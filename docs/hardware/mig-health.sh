#!/usr/bin/env bash
# Reads a real GPU with gpu-agent and changes nothing on it: MIG profiles and a plan without MIG mode, what health hears,
# and how NVML is let go of. Starts only agents of its own, in folders of its own, and never turns MIG on.
#
#   GPU_AGENT_DIST=FOLDER docs/hardware/mig-health.sh OUTPUT-FOLDER
#
# Needs root, curl, python3, setpriv and a GPU whose MIG mode is off. FOLDER holds runtime/bin/java, lib/*.jar and
# jvm.options. The report goes to standard output; everything else into OUTPUT-FOLDER.
set -uo pipefail
out=${1:?name an output folder}
mkdir -p "$out"
work=$(mktemp -d /tmp/ga.XXXXXX)
chmod 755 "$work"
run=$work/run
state=$work/state
port=19838
java=$GPU_AGENT_DIST/runtime/bin/java
export MALLOC_ARENA_MAX=2
serving=0
agent() { "$java" "@$GPU_AGENT_DIST/jvm.options" -cp "$GPU_AGENT_DIST/lib/*" io.gpuagent.agent.Main "$@"; }
ask() { # COMMAND...: the option before what may stand behind --
    local command=$1
    shift
    case $command in
        mig) agent mig "$1" --socket "$run/gpu-agent.sock" "${@:2}" ;;
        *) agent "$command" --socket "$run/gpu-agent.sock" "$@" ;;
    esac
}
api() { curl -s --unix-socket "$run/gpu-agent.sock" "http://localhost$1"; }
step() { printf '\n## %s\n\n' "$*"; }
stop() {
    [ "$serving" = 0 ] || { kill "$serving" 2>/dev/null; wait "$serving" 2>/dev/null; }
    serving=0
}
trap 'stop; rm -rf "$work"' EXIT

serve() { # NAME COMMAND...: starts an agent by a command in front of it, and waits until it is ready
    local name=$1
    shift
    "$@" "$java" "@$GPU_AGENT_DIST/jvm.options" -cp "$GPU_AGENT_DIST/lib/*" io.gpuagent.agent.Main serve \
        --listen 127.0.0.1:$port --runtime-dir "$run" --state-dir "$state" >"$out/serve-$name.log" 2>&1 &
    serving=$!
    for _ in $(seq 1 200); do
        curl -sf -o /dev/null 127.0.0.1:$port/-/ready && return 0
        sleep 0.1
    done
    echo "the agent is not ready after 20 s"
    tail -5 "$out/serve-$name.log"
    return 1
}
descriptors() { # how many of NVIDIA's device nodes the agent has open
    find "/proc/$serving/fd" -lname '/dev/nvidia*' 2>/dev/null | wc -l
}
mode() { nvidia-smi --query-gpu=mig.mode.current,mig.mode.pending --format=csv,noheader -i 0; }

before=$(mode)
echo "MIG mode of GPU 0, now and pending: $before"
case $before in Disabled*) ;; *)
    echo "this script is for a GPU without MIG mode" >&2
    exit 2
    ;;
esac

step "MIG as root: profiles, a plan, a refusal"
serve root || exit 1
api /v1/gpus/0/mig >"$out/mig.json"
python3 - "$out/mig.json" <<'PY'
import json, sys
gpu = json.load(open(sys.argv[1]))
def profiles(value):
    if isinstance(value, dict):
        for name, member in value.items():
            if name == "profiles" and isinstance(member, list):
                yield from member
            else:
                yield from profiles(member)
    elif isinstance(value, list):
        for item in value:
            yield from profiles(item)
for profile in profiles(gpu):
    print(json.dumps(profile))
PY
ask mig list 0 || echo "exit $?"
cat >"$work/layout.yaml" <<'YAML'
version: 1
gpus:
  - match: {index: 0}
    mig:
      - 3g.71gb
      - 2g.35gb
      - {profile: 1g.18gb, count: 2}
YAML
echo
echo '$ gpu-agent plan layout.yaml'
ask plan "$work/layout.yaml"
echo "exit $?"
echo '$ gpu-agent apply layout.yaml --yes'
ask apply "$work/layout.yaml" --yes
echo "exit $?"
echo '$ gpu-agent repartition 0 3g.71gb 2g.35gb 1g.18gb 1g.18gb --yes'
ask repartition 0 3g.71gb 2g.35gb 1g.18gb 1g.18gb --yes
echo "exit $?"
ask mig holders 0 || echo "exit $?"
ask export || echo "exit $?"

step "Health as root"
sleep 3
ask health || echo "exit $?"
api /v1/health | python3 -c '
import json, sys
health = json.load(sys.stdin)
for source in health["sources"]: print(json.dumps(source))'
ask status --json | python3 -c '
import json, sys
readings = json.load(sys.stdin)["gpus"][0]["readings"]
for name in ("recovery_action", "row_remap", "spare_row_banks", "sram_errors", "pending_repairs", "slowdown_times",
             "pcie.replays", "nvlinks", "fabric"):
    print(name, json.dumps(readings.get(name)))'
ask events
curl -s 127.0.0.1:$port/metrics | grep -E '^gpu_(health|node_health|agent_health|xid)' | grep -v ' 0.0$'

step "Letting go of NVML"
echo "descriptors of /dev/nvidia* before: $(descriptors)"
begin=$(date +%s%N)
ask release --for 20s
echo "after $((($(date +%s%N) - begin) / 1000000)) ms, the command's own start included: $(descriptors)"
sleep 1
ask health | head -3
curl -s 127.0.0.1:$port/metrics | grep -E '^gpu_agent_nvml_(up|down_info)'
ask release --end
sleep 3
echo "after release --end and 3 s: $(descriptors)"
echo '$ gpu-agent release -- sh -c "...counts our descriptors..."'
ask release -- sh -c "find /proc/$serving/fd -lname '/dev/nvidia*' | wc -l"
echo "exit $?"
sleep 3
echo "and 3 s later: $(descriptors)"
ask health | head -1

step "CPU of the agent over 60 s, scraped every 15 s"
ticks() { awk '{print $14 + $15}' "/proc/$serving/stat"; }
first=$(ticks)
for _ in 1 2 3 4; do
    sleep 15
    curl -s -o /dev/null 127.0.0.1:$port/metrics
done
python3 -c "import os, sys; print('%.2f %% of a core' % ((int(sys.argv[2]) - int(sys.argv[1])) / os.sysconf('SC_CLK_TCK') / 60 * 100))" "$first" "$(ticks)"
grep -E 'VmRSS|RssAnon|Threads' "/proc/$serving/status"
stop

step "Health as nobody with CAP_SYSLOG alone, and with nothing"
for caps in +syslog -all; do
    rm -rf "$run" "$state"
    mkdir -p "$run" "$state"
    chown -R 65534:65534 "$run" "$state"
    chmod 700 "$run" "$state"
    serve "nobody$caps" setpriv --reuid=65534 --regid=65534 --clear-groups \
        --bounding-set=-all,+syslog --inh-caps="$caps" --ambient-caps="$caps" || continue
    sleep 2
    echo "capabilities $caps:"
    api /v1/health | python3 -c '
import json, sys
health = json.load(sys.stdin)
print("node", health["state"], "GPU 0", health["gpus"][0]["state"] if health["gpus"] else "none")
for source in health["sources"]:
    if source["name"] == "kernel_log": print(json.dumps(source))'
    stop
done

step "Left as it was"
echo "MIG mode before: $before, after: $(mode)"
