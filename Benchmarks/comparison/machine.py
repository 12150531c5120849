# SPDX-License-Identifier: Apache-2.0
"""The machine that the engines are measured on, and how much of it other processes used meanwhile."""

import os
import platform
import subprocess
from pathlib import Path

FEATURES = (
    "sse4_2 avx f16c fma avx2 avx_vnni avx512f avx512dq avx512bw avx512vl avx512_vnni avx512_bf16 "
    "avx512_fp16 amx_bf16 amx_int8 asimd asimdhp asimddp i8mm bf16 sve sve2 sme "
    "FEAT_FP16 FEAT_DotProd FEAT_I8MM FEAT_BF16 FEAT_SME").split()

# What OpenVINO calls the instruction sets to which it can be held, by our names.
OPENVINO_INSTRUCTION_SETS = {"baseline": "SSE41", "avx2": "AVX2"}


def limit_instructions(isa):
    """Holds our tool and OpenVINO to the instruction set, if not None; call it before loading OpenVINO.

    ncnn and ONNX Runtime have no such setting. OpenVINO needs both of its variables: one holds its own
    kernels, the other those of oneDNN, and where they disagree it refuses networks.
    """
    if isa is None:
        return
    os.environ["YOLOFACE_ISA"] = isa
    if isa in OPENVINO_INSTRUCTION_SETS:
        for name in ("ONEDNN_MAX_CPU_ISA", "OV_CPU_MAX_ISA"):
            os.environ[name] = OPENVINO_INSTRUCTION_SETS[isa]


def describe():
    """Processor and system, as far as the system reports them, by name in the page's order."""
    read = {"Linux": linux_processor, "Darwin": mac_processor}.get(platform.system(), dict)
    try:
        cores = len(os.sched_getaffinity(0))
    except AttributeError:
        cores = os.cpu_count()
    return read() | {
        "Cores for this process": cores,
        "System": f"{system_name()}, kernel {platform.release()}, {platform.machine()}",
        "Python": platform.python_version(),
    }


def is_x86():
    return platform.machine().lower() in ("x86_64", "amd64")


def features():
    """The processor's features among `FEATURES`, as far as the system reports them."""
    return set(describe().get("Features", "").split())


def linux_processor():
    """From the first processor of /proc/cpuinfo, whose keys differ between x86 and arm."""
    first = Path("/proc/cpuinfo").read_text().split("\n\n")[0]
    pairs = (line.partition(":") for line in first.splitlines())
    found = {key.strip(): value.strip() for key, _, value in pairs}
    features = (found.get("flags") or found.get("Features", "")).split()
    identity = [f"{key} {found[key]}" for key in ("cpu family", "model", "stepping",
                                                  "CPU implementer", "CPU part") if key in found]
    return {
        "Processor": f"{found.get('model name', platform.machine())} ({', '.join(identity)})",
        "Features": " ".join(name for name in FEATURES if name in features),
        "Virtual machine": "yes" if "hypervisor" in features else "unknown",
    }


def mac_processor():
    output = subprocess.run(["sysctl", "machdep.cpu.brand_string", "hw.optional.arm"],
                            capture_output=True, text=True).stdout
    found = dict(line.split(": ", 1) for line in output.splitlines() if ": " in line)
    features = [name for name in FEATURES if found.get(f"hw.optional.arm.{name}") == "1"]
    return {"Processor": found.get("machdep.cpu.brand_string", platform.machine()),
            "Features": " ".join(features)}


def system_name():
    try:
        return platform.freedesktop_os_release()["PRETTY_NAME"]
    except (OSError, KeyError):
        return platform.platform(terse=True)


def processor_seconds():
    """The seconds of all cores, the busy ones among them, and those of this process and its finished
    children. None where there is no /proc/stat.

    Time that the host gave to another virtual machine (steal) counts as busy.
    """
    try:
        line = Path("/proc/stat").read_text().splitlines()[0]
    except OSError:
        return None
    # https://man7.org/linux/man-pages/man5/proc_stat.5.html; guest time is part of user time.
    ticks = [int(word) for word in line.split()[1:9]]
    idle = ticks[3] + ticks[4]
    per_second = os.sysconf("SC_CLK_TCK")
    return sum(ticks) / per_second, (sum(ticks) - idle) / per_second, sum(os.times()[:4])


def share_of_others(before, after):
    """The share of all cores' time between two `processor_seconds()` that others used, or None."""
    if before is None or after is None:
        return None
    total, busy, own = (end - start for start, end in zip(before, after))
    return max(0.0, busy - own) / total if total > 0 else None
