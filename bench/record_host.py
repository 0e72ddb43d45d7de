# SPDX-License-Identifier: Apache-2.0
"""Runs the benchmarks of the host side, prints them beside their limits, and keeps the record."""

import argparse
import datetime
import json
import re
import statistics
import subprocess
from pathlib import Path

import compile_time

REPETITIONS = 9
NANOSECONDS = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}

# What must hold on a machine that does nothing else.
LIMITS = {
    "attention/trace and all passes": 1e6,
    "before_the_queue": 150,
}
COMPILE_LIMIT = {"ratio": 2.5, "seconds": 6}  # one of them


def run_benchmarks(binary: Path) -> list[dict]:
    """The median and the least time of each benchmark over its repetitions, in nanoseconds, and its median throughput."""
    output = subprocess.run([binary, f"--benchmark_repetitions={REPETITIONS}", "--benchmark_format=json",
                             "--benchmark_enable_random_interleaving=true"],
                            check=True, capture_output=True, text=True).stdout
    times: dict[str, list[float]] = {}
    rates: dict[str, list[float]] = {}
    for run in json.loads(output)["benchmarks"]:
        if run["run_type"] != "iteration":
            continue
        times.setdefault(run["run_name"], []).append(run["real_time"] * NANOSECONDS[run["time_unit"]])
        if "bytes_per_second" in run:
            rates.setdefault(run["run_name"], []).append(run["bytes_per_second"] / 1e6)
    return [{"what": what, "median_ns": round(statistics.median(all_times), 1), "least_ns": round(min(all_times), 1)}
            | ({"megabytes_per_second": round(statistics.median(rates[what]), 1)} if what in rates else {})
            for what, all_times in times.items()]


def compile_times(repeat: int) -> list[dict]:
    rows = []
    for compiler in ("g++", "clang++-22"):
        seconds, ratio = compile_time.measure(compiler, repeat)
        rows.append({"what": f"compiling a user's softmax.cpp/{compiler}", "seconds": round(seconds, 2),
                     "ratio": round(ratio, 2)})
    return rows


def machine() -> str:
    model = re.search(r"^model name\s*: (.*)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    return model[1] if model else "unknown"


def first_line(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()[0]


def holds(row: dict) -> bool:
    if "ratio" in row:
        return row["ratio"] <= COMPILE_LIMIT["ratio"] or row["seconds"] <= COMPILE_LIMIT["seconds"]
    return row["median_ns"] <= LIMITS.get(row["what"], float("inf"))


def shown(row: dict) -> str:
    if "ratio" in row:
        figure = f"{row['seconds']:10.2f} s   {row['ratio']:.2f} x the same standard headers alone"
    else:
        figure = f"{row['median_ns']:10.0f} ns  least {row['least_ns']:.0f}"
        if "megabytes_per_second" in row:
            figure += f", {row['megabytes_per_second']:.0f} MB/s"
        if row["what"] in LIMITS:
            figure += f", limit {LIMITS[row['what']]:.0f}"
    return f"{row['what']:45}{figure}{'' if holds(row) else '  TOO SLOW'}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("binary", type=Path, help="bench_host, built with optimisation")
    parser.add_argument("record", type=Path, help="where the record goes")
    options = parser.parse_args()
    rows = run_benchmarks(options.binary) + compile_times(repeat=5)
    print(*map(shown, rows), sep="\n")
    record = {
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
        "commit": first_line("git", "rev-parse", "HEAD"),
        "processor": machine(),
        "compiler": first_line("g++", "--version"),
        "repetitions": REPETITIONS,
        "results": rows,
    }
    options.record.parent.mkdir(parents=True, exist_ok=True)
    options.record.write_text(json.dumps(record, indent=1) + "\n")
    return 0 if all(map(holds, rows)) else 1


if __name__ == "__main__":
    raise SystemExit(main())
