# SPDX-License-Identifier: Apache-2.0
"""Runs the tests beside this file on the machine's GPU and keeps a record of it; see scripts/gpu-acceptance."""

import argparse
import datetime
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROCESSES = min(os.cpu_count() or 1, 16)
SECONDS = 500

# What runs, with the variables that bring it to the GPU. Tests of a fake GPU do not mix with those of the real one.
SUITES = {"test_driver": {}, "test_cuda": {"GTEST_FILTER": "AnyGpu.*"}, "test_kernels": {"TILEWRIGHT_DEVICE": "gpu:0"}}


def environment(cache: str) -> dict[str, str]:
    variables = dict(os.environ)
    variables["LD_LIBRARY_PATH"] = f"{HERE / 'lib'}:{variables.get('LD_LIBRARY_PATH', '')}"
    variables["XDG_CACHE_HOME"] = cache
    variables["TILEWRIGHT_BUNDLES"] = ":".join(map(str, sorted(HERE.glob("*.twb"))))
    return variables


def run(suite: str, variables: dict[str, str], *before: str) -> dict:
    """Runs a suite, its tests dealt over processes that share one cache, and counts how they end."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        running = []
        for shard in range(PROCESSES):
            dealt = {"GTEST_TOTAL_SHARDS": str(PROCESSES), "GTEST_SHARD_INDEX": str(shard),
                     "GTEST_OUTPUT": f"json:{folder}/{shard}.json"}
            log = open(f"{folder}/{shard}.log", "w")
            running.append(subprocess.Popen([*before, HERE / suite], env=variables | SUITES[suite] | dealt,
                                            stdout=log, stderr=subprocess.STDOUT))
        ends = [process.wait(timeout=SECONDS) for process in running]
        logs = "".join(path.read_text(errors="replace") for path in sorted(Path(folder).glob("*.log")))
        reports = [json.loads(path.read_text()) for path in sorted(Path(folder).glob("*.json"))]
    tests = [test for report in reports for suite_report in report["testsuites"] for test in suite_report["testsuite"]]
    skipped = [test for test in tests if test["result"] == "SKIPPED"]
    failed = [f"{test['classname']}.{test['name']}" for test in tests if test.get("failures")]
    if any(ends):
        print(logs)
    return {"suite": " ".join([*before, suite]), "passed": len(tests) - len(skipped) - len(failed),
            "skipped": len(skipped), "failed": failed, "processes": PROCESSES,
            "processes_that_failed": sum(end != 0 for end in ends), "seconds": round(time.monotonic() - began, 1),
            "log": logs}


def memory_check(variables: dict[str, str]) -> dict | None:
    """The suite of the kernels once more under the driver's memory checker, where that is installed."""
    sanitizer = shutil.which("compute-sanitizer") or shutil.which("compute-sanitizer", path="/usr/local/cuda/bin")
    if sanitizer is None:
        return None
    row = run("test_kernels", variables, sanitizer, "--tool", "memcheck", "--target-processes", "application-only")
    row["suite"] = "test_kernels under compute-sanitizer memcheck"
    row["errors"] = sum(map(int, re.findall(r"ERROR SUMMARY: (\d+) error", row["log"])))
    row["processes_checked"] = row["log"].count("ERROR SUMMARY")
    return row


def first_line(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()[0]


def assembler() -> str | None:
    tool = os.environ.get("TILEWRIGHT_TILEIRAS")
    if not tool:
        return None
    text = subprocess.run([tool, "--version"], capture_output=True, text=True).stdout
    version = re.search(r"\d+\.\d+\.\d+", text)
    return version[0] if version else None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("record", type=Path)
    record_path = parser.parse_args().record
    gpu, driver = first_line("nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader").split(", ")
    with tempfile.TemporaryDirectory() as cache:
        variables = environment(cache)
        rows = [run(suite, variables) for suite in SUITES]
        # Now that the code is kept: no call of the assembler.
        rows += filter(None, [run("test_kernels", variables) | {"suite": "test_kernels with a warm cache"},
                              memory_check(variables)])
    costs = re.search(r"us a launch: (.*)", rows[1]["log"])
    for row in rows:
        del row["log"]
    record = {"what": "tests on a real GPU", "date": datetime.date.today().isoformat(), "gpu": gpu, "driver": driver,
              "tileiras": assembler(), "commit": (HERE / "commit").read_text().strip(), "suites": rows,
              "microseconds_a_launch": costs[1] if costs else None}
    record_path.write_text(json.dumps(record, indent=1) + "\n")
    print(json.dumps(record, indent=1))
    return any(row["failed"] or row["processes_that_failed"] or row.get("errors") for row in rows)


if __name__ == "__main__":
    sys.exit(main())
