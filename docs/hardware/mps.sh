#!/usr/bin/env bash
# Runs MPS through gpu-agent on a machine with a real NVIDIA GPU: limits, changes, crashes, stops, and ten services on one
# card. Starts and kills only what it started itself, in folders of its own, and changes nothing on the card.
#
#   GPU_AGENT_DIST=FOLDER docs/hardware/mps.sh OUTPUT-FOLDER
#
# Needs root, nvidia-cuda-mps-control, python3 with torch, curl, setpriv. FOLDER holds runtime/bin/java, lib/*.jar and
# jvm.options. The report goes to standard output; everything else into OUTPUT-FOLDER.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?name an output folder}
if pgrep -f 'nvidia-cuda-mps-(control|server)' >/dev/null; then
    echo "MPS runs on this machine already, and this script counts and kills MPS processes: stop it first, or use another machine" >&2
    exit 2
fi
mkdir -p "$out"
work=$(mktemp -d /tmp/ga.XXXXXX)
chmod 755 "$work"
cp "$here/mps_client.py" "$work/" # Readable for the other users, too.
chmod 644 "$work/mps_client.py"
run=$work/run
state=$work/state
port=19837
java=$GPU_AGENT_DIST/runtime/bin/java
export MALLOC_ARENA_MAX=2
agent() { "$java" "@$GPU_AGENT_DIST/jvm.options" -cp "$GPU_AGENT_DIST/lib/*" io.gpuagent.agent.Main "$@"; }
mps() { agent mps "$@" --socket "$run/gpu-agent.sock"; }
page() { curl -s 127.0.0.1:$port/metrics | grep '^gpu_mps'; }
clients=()
cleanup() {
    kill -9 "${clients[@]}" 2>/dev/null
    mps stop 0 --force --yes >/dev/null 2>&1
    kill -9 $(jobs -p) 2>/dev/null
    cp -r "$state" "$out/state" 2>/dev/null
    rm -rf "$work"
}
trap cleanup EXIT

ended() { # PID: waits for a process of ours, 10 s at the most
    local start
    start=$(now)
    for _ in $(seq 1 100); do
        kill -0 "$1" 2>/dev/null || { echo "it ended after $(since "$start")"; return; }
        sleep 0.1
    done
    echo "it did not end within 10 s"
    kill -9 "$1"
}
step() { printf '\n## %s\n\n' "$*"; }
since() { python3 -c "import time,sys; print(f'{time.monotonic()-float(sys.argv[1]):.1f} s')" "$1"; }
now() { python3 -c 'import time; print(time.monotonic())'; }

serve() { # NAME: starts an agent in a session of its own, as a terminal would, and waits until it is ready
    # A shell's background command ignores SIGINT, which the JVM would keep to.
    setsid env --default-signal=INT "$java" "@$GPU_AGENT_DIST/jvm.options" -cp "$GPU_AGENT_DIST/lib/*" io.gpuagent.agent.Main serve \
        --listen 127.0.0.1:$port --runtime-dir "$run" --state-dir "$state" >"$out/serve-$1.log" 2>&1 &
    serving=$!
    for _ in $(seq 1 200); do
        curl -sf -o /dev/null 127.0.0.1:$port/-/ready && return 0
        sleep 0.1
    done
    echo "the agent did not become ready"
}
environment() { # OPTIONS...: what a client needs, as `gpu-agent mps env` prints it
    mps env 0 --format shell "$@" 2>>"$out/env.err"
}
client() { # NAME SECONDS [ENV-OPTIONS...]: starts a client with the printed environment
    local name=$1 seconds=$2
    shift 2
    environment "$@" >"$out/env-$name.sh"
    (. "$out/env-$name.sh" && exec python3 "$work/mps_client.py" "$seconds") >"$out/client-$name.txt" 2>"$out/client-$name.err" &
    clients+=($!)
    eval "pid_$name=$!"
}
ready() { # NAME SECONDS: waits for a client's first line and shows it
    for _ in $(seq 1 $(($2 * 10))); do
        grep -q -E '^(ready|failed)' "$out/client-$1.txt" 2>/dev/null && break
        sleep 0.1
    done
    printf 'client %s: %s\n' "$1" "$(head -1 "$out/client-$1.txt" | awk '{if ($1=="ready") print $3 " SMs, " $4 " bytes free (pid " $2 ")"; else print}')"
}
state_of() { mps list --json 2>/dev/null | python3 -c 'import json,sys; d=json.load(sys.stdin)["daemons"]; print(d[0]["state"] if d else "none")' 2>/dev/null; }
pid_of() { # EXPRESSION over the daemon's JSON: a process that this script's agent started, never one found by its name
    mps list --json 2>/dev/null | python3 -c "import json,sys; d=json.load(sys.stdin)['daemons'][0]; print($1)" 2>/dev/null
}
kill_hard() { # PID: refuses to guess where there is none
    if [ -n "$1" ]; then kill -9 "$1"; else echo "no such process is known; nothing was killed"; fi
}
await_state() { # PATTERN SECONDS: how long until the state is one of these
    local start
    start=$(now)
    for _ in $(seq 1 $(($2 * 5))); do
        [[ $(state_of) =~ $1 ]] && break
        sleep 0.05
    done
    echo "state $(state_of) after $(since "$start")"
}

echo "# MPS through gpu-agent"
nvidia-smi --query-gpu=name,driver_version,compute_mode,mig.mode.current --format=csv,noheader

step "A daemon at 60 %, and its first client"
serve first
mps start 0 --threads 60% --yes
echo "exit $?"
client a 400
ready a 40

step "Down to 25 % and 8 GiB: who is reached"
mps set 0 --threads 25% --memory 8GiB --yes
echo "exit $?"
client b 400
ready b 40
client c 400 --threads 10%
ready c 40
sleep 2
mps list
mps clients 0
page | tee "$out/page.prom" | grep -v '_info\|_created' | head -60
echo
echo "per-client memory by nvidia-smi:"
nvidia-smi --query-compute-apps=pid,used_memory --format=csv,noheader

step "Bad input"
for bad in 150 abc 0 -5; do mps set 0 --threads=$bad --yes; echo "exit $?"; done
mps set 0 --memory 1T --yes
echo "exit $?"
mps start 7 --yes
echo "exit $?"

step "kill -9 of the agent: clients go on, the next agent adopts"
before=$(pgrep -f nvidia-cuda-mps-control | sort | tr '\n' ' ')
kill -9 "$serving"
sleep 1
for name in a b c; do pid=pid_$name; kill -0 "${!pid}" && echo "client $name runs"; done
serve second
sleep 3
[ "$before" = "$(pgrep -f nvidia-cuda-mps-control | sort | tr '\n' ' ')" ] && echo "the same control daemon"
mps list
mps clients 0

step "Ctrl-C on serve: the same"
kill -INT -- -"$serving"
ended "$serving"
for name in a b c; do pid=pid_$name; kill -0 "${!pid}" && echo "client $name runs"; done
serve third
sleep 3
mps clients 0

step "kill -9 of the MPS server: the first new client is on the limits"
kill_hard "$(pid_of "d['servers'][0]['pid']")"
await_state 'idle|initializing|recovering|active' 5
sleep 1
for name in a b c; do printf 'client %s: %s\n' "$name" "$(tail -1 "$out/client-$name.txt")"; done
client d 400
ready d 40

step "kill -9 of the daemon: the first new client is on the limits"
kill_hard "$(pid_of "d['pid']")"
await_state 'starting|absent|crashloop|orphan' 5
await_state 'idle|active' 20
client e 400
ready e 40
mps list

step "Stop: refused while busy, drained, forced"
mps stop 0 --yes
echo "exit $?"
start=$(now)
mps stop 0 --drain --within 5 --yes
echo "exit $? after $(since "$start")"
kill "$pid_e" "$pid_d" 2>/dev/null
sleep 1
mps stop 0 --drain --within 30 --yes
echo "exit $?"
mps start 0 --threads 25% --memory 8GiB --yes
client f 400
ready f 40
start=$(now)
mps stop 0 --force --within 10 --yes
echo "exit $? after $(since "$start")"
sleep 1
echo "MPS processes left: $(pgrep -c -f 'nvidia-cuda-mps')"
echo "files left in the pipe folder: $(find "$run" -path '*pipe*' -type f -o -path '*pipe*' -type s -o -path '*pipe*' -type p | wc -l)"

step "Ten services on one card, single user: the other users wait"
mps start 0 --threads 10% --memory 12GiB --yes
services() { # SECONDS: seven as root and three as other users
    local i
    environment >"$out/env-ten.sh"
    for i in 0 1 2 3 4 5 6 7 8 9; do
        local as=()
        [ "$i" -ge 7 ] && as=(setpriv --reuid $((65527 + i)) --regid 65534 --clear-groups env HOME="$work/none")
        (. "$out/env-ten.sh" && exec "${as[@]}" python3 "$work/mps_client.py" "$1") >"$out/client-s$i.txt" 2>"$out/client-s$i.err" &
        clients+=($!)
    done
}
services 45
sleep 32
mps list
page | grep pending
for i in 0 1 2 3 4 5 6 7 8 9; do printf 'service %s: %s\n' "$i" "$(head -1 "$out/client-s$i.txt")"; done
kill -9 "${clients[@]}" 2>/dev/null
sleep 2
mps stop 0 --force --within 10 --yes

step "The same with multi-user"
mps start 0 --threads 10% --memory 12GiB --multi-user --yes
services 40
for i in 0 1 2 3 4 5 6 7 8 9; do ready "s$i" 40; done
sleep 3
mps clients 0
page | grep -E 'gpu_mps_clients|memory_bytes' | head -14
for i in 0 1 2 3 4 5 6 7 8 9; do
    for _ in $(seq 1 600); do grep -q -E '^(done|failed)' "$out/client-s$i.txt" && break; sleep 0.1; done
    tail -1 "$out/client-s$i.txt"
done >"$out/ten.txt"
client alone 15
for _ in $(seq 1 600); do grep -q -E '^(done|failed)' "$out/client-alone.txt" && break; sleep 0.1; done
python3 - "$out/ten.txt" "$out/client-alone.txt" <<'PY'
import sys
rate = lambda line: float(line.split()[1]) / float(line.split()[2])
ten = [rate(l) for l in open(sys.argv[1]) if l.startswith("done")]
alone = [rate(l) for l in open(sys.argv[2]) if l.startswith("done")]
print(len(ten), "services:", round(sum(ten)), "products a second together, each", round(min(ten)), "to", round(max(ten)))
print("one service alone, on the same limit:", round(alone[0]), "- together", round(sum(ten) / alone[0], 1), "times that")
PY
mps stop 0 --drain --within 20 --yes
echo "exit $?"
step "What is left"
kill "$serving"
ended "$serving"
echo "MPS processes: $(pgrep -c -f 'nvidia-cuda-mps'); agents: $(pgrep -c -f 'Main serve --listen 127.0.0.1:'$port)"
nvidia-smi --query-gpu=compute_mode,mig.mode.current --format=csv,noheader
