"""Compares a metrics page with nvidia-smi's CSV of the same second and prints a table; exit 1 where they disagree."""
import csv
import re
import sys

page_file, smi_file = sys.argv[1:3]

series = {}
for line in open(page_file):
    m = re.match(r"(\w+)\{(.*)\} (\S+)$", line)
    if m:
        labels = dict(re.findall(r'(\w+)="((?:[^"\\]|\\.)*)"', m[2]))
        series.setdefault(m[1], []).append((labels, float(m[3])))


def value(gpu, family, **want):
    for labels, number in series.get(family, []):
        if labels.get("gpu") == gpu and all(labels.get(k) == v for k, v in want.items()):
            return number
    return None


def text(gpu, family, label):
    for labels, _ in series.get(family, []):
        if labels.get("gpu") == gpu:
            return labels.get(label)
    return None


MIB = 1048576.0
# nvidia-smi field, family, labels, scale from ours to nvidia-smi's unit, tolerance: ("abs", n) or ("rel", share)
NUMBERS = [
    ("memory.total", "gpu_memory_size_bytes", {}, 1 / MIB, ("abs", 1)),
    ("memory.used", "gpu_memory_bytes", {"state": "used"}, 1 / MIB, ("abs", 1)),
    ("memory.free", "gpu_memory_bytes", {"state": "free"}, 1 / MIB, ("abs", 1)),
    ("memory.reserved", "gpu_memory_bytes", {"state": "reserved"}, 1 / MIB, ("abs", 1)),
    ("power.draw.average", "gpu_power_watts", {"window": "average"}, 1, ("rel", 0.05)),
    ("power.draw.instant", "gpu_power_watts", {"window": "instant"}, 1, ("rel", 0.05)),
    ("enforced.power.limit", "gpu_power_limit_watts", {"kind": "enforced"}, 1, ("abs", 0)),
    ("temperature.gpu", "gpu_temperature_celsius", {"sensor": "gpu"}, 1, ("abs", 2)),
    ("temperature.memory", "gpu_temperature_celsius", {"sensor": "memory"}, 1, ("abs", 2)),
    ("clocks.current.graphics", "gpu_clock_hertz", {"domain": "graphics"}, 1e-6, ("rel", 0.05)),
    ("clocks.current.sm", "gpu_clock_hertz", {"domain": "sm"}, 1e-6, ("rel", 0.05)),
    ("clocks.current.memory", "gpu_clock_hertz", {"domain": "memory"}, 1e-6, ("abs", 0)),
    ("clocks.current.video", "gpu_clock_hertz", {"domain": "video"}, 1e-6, ("rel", 0.05)),
    ("clocks.max.graphics", "gpu_clock_max_hertz", {"domain": "graphics"}, 1e-6, ("abs", 0)),
    ("clocks.max.sm", "gpu_clock_max_hertz", {"domain": "sm"}, 1e-6, ("abs", 0)),
    ("clocks.max.memory", "gpu_clock_max_hertz", {"domain": "memory"}, 1e-6, ("abs", 0)),
    ("utilization.gpu", "gpu_utilization_ratio", {"engine": "gpu"}, 100, ("abs", 10)),
    ("utilization.memory", "gpu_utilization_ratio", {"engine": "memory"}, 100, ("abs", 10)),
    ("ecc.errors.corrected.volatile.total", "gpu_ecc_errors_total", {"severity": "corrected"}, 1, ("abs", 0)),
    ("ecc.errors.uncorrected.volatile.total", "gpu_ecc_errors_total", {"severity": "uncorrected"}, 1, ("abs", 0)),
    ("ecc.errors.corrected.aggregate.total", "gpu_ecc_lifetime_errors_total", {"severity": "corrected"}, 1, ("abs", 0)),
    ("ecc.errors.uncorrected.aggregate.total", "gpu_ecc_lifetime_errors_total", {"severity": "uncorrected"}, 1, ("abs", 0)),
    ("remapped_rows.correctable", "gpu_row_remaps", {"cause": "correctable"}, 1, ("abs", 0)),
    ("remapped_rows.uncorrectable", "gpu_row_remaps", {"cause": "uncorrectable"}, 1, ("abs", 0)),
    ("remapped_rows.pending", "gpu_row_remap_pending", {}, 1, ("abs", 0)),
    ("remapped_rows.failure", "gpu_row_remap_failed", {}, 1, ("abs", 0)),
    ("pcie.link.gen.current", "gpu_pcie_link_generation", {}, 1, ("abs", 0)),
    ("pcie.link.width.current", "gpu_pcie_link_width", {}, 1, ("abs", 0)),
    ("pstate", "gpu_pstate", {}, 1, ("abs", 0)),
    ("ecc.mode.current", "gpu_ecc_mode_enabled", {"when": "current"}, 1, ("abs", 0)),
    ("mig.mode.current", "gpu_mig_enabled", {"when": "current"}, 1, ("abs", 0)),
    ("persistence_mode", "gpu_persistence_mode_enabled", {}, 1, ("abs", 0)),
]
TEXTS = [
    ("uuid", "gpu_info", "uuid"),
    ("pci.bus_id", "gpu_info", "pci_bus_id"),
    ("name", "gpu_info", "name"),
    ("compute_mode", "gpu_compute_mode", "mode"),
]
WORDS = {"Enabled": 1.0, "Disabled": 0.0, "Yes": 1.0, "No": 0.0}


def smi_number(raw):
    if raw in WORDS:
        return WORDS[raw]
    m = re.match(r"P?(-?[0-9.]+)$", raw)
    return float(m[1]) if m else None


def show(number):
    return "absent" if number is None else f"{number:.6g}"


failed = 0
print("| GPU | nvidia-smi field | nvidia-smi | gpu-agent | agree |")
print("|---|---|---|---|---|")
rows = list(csv.reader(open(smi_file), skipinitialspace=True))
header = [re.sub(r" \[.*\]", "", h) for h in rows[0]]
for row in rows[1:]:
    smi = dict(zip(header, row))
    gpu = smi["index"]
    for field, family, label in TEXTS:
        if field in smi:
            ours = text(gpu, family, label)
            same = ours is not None and ours.lower() == smi[field].lower()
            failed += not same
            print(f"| {gpu} | {field} | {smi[field]} | {ours} | {'yes' if same else 'NO'} |")
    for field, family, labels, scale, (kind, tolerance) in NUMBERS:
        if field not in smi:
            print(f"| {gpu} | {field} | not asked | | NO |")
            failed += 1
            continue
        theirs = smi_number(smi[field])
        ours = value(gpu, family, **labels)
        ours = None if ours is None else ours * scale
        if theirs is None or ours is None:
            same = theirs is None and ours is None
        else:
            bound = tolerance if kind == "abs" else tolerance * abs(theirs)
            same = abs(ours - theirs) <= bound + 1e-9
        failed += not same
        print(f"| {gpu} | {field} | {smi[field]} | {show(ours)} | {'yes' if same else 'NO'} |")
print()
print(f"{failed} disagreements")
sys.exit(1 if failed else 0)
