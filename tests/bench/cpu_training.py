#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Training throughput on the CPU: our worker against the same model written plainly in PyTorch eager.

Both run in turn, several rounds, with the same preset, precision, batch and number of threads, so that what else the
machine does falls on both. The result is kept with the machine it ran on.

    tests/bench/cpu_training.py --python VENV/bin/python --worker build/release/bin/unmask-worker

A preset may say its own rows and steps (light:batch=4,steps=5): both sides get the same. `ratio` compares the medians
of the steps, `ratio_of_fastest` the fastest steps, which a busy machine distorts less. The interpreter given by --python needs the torch of the engine's version; this script itself needs nothing.
"""
import argparse
import datetime
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor() or "unknown"


def machine():
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {"processor": processor(), "cores": os.cpu_count(), "memory_bytes": memory, "system": platform.platform()}


def last_json_line(text):
    for line in reversed(text.strip().splitlines()):
        if line.startswith("{"):
            return json.loads(line)
    raise SystemExit("no JSON line in this output:\n" + text[-2000:])


def measure(command, environment):
    done = subprocess.run([str(part) for part in command], env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return last_json_line(done.stdout)


def settings_of(text, arguments):
    name, _, rest = text.partition(":")
    settings = {"steps": arguments.steps, **dict(pair.split("=") for pair in rest.split(",") if pair)}
    return name, [word for key, value in settings.items() for word in ("--" + key, str(value))]


def fastest_rate(figures):
    seconds = figures["fastest_seconds"] if "fastest_seconds" in figures else figures["milliseconds"]["fastest"] / 1000
    rows = figures.get("batch", figures.get("rows"))
    return rows * figures.get("sequence", figures.get("length")) / seconds


def compare(arguments, text, environment):
    preset, settings = settings_of(text, arguments)
    common = ["--preset", preset, "--threads", arguments.threads, *settings, "--json"]
    sides = {
        "unmask": [arguments.worker, "bench", *common],
        "pytorch_eager": [arguments.python, HERE / "pytorch_eager_cpu.py", *common],
    }
    rounds = []
    for number in range(arguments.rounds):
        order = list(sides) if number % 2 == 0 else list(reversed(sides))
        figures = {name: measure(sides[name], environment) for name in order}
        ours, theirs = (figures[name]["tokens_per_second"] for name in sides)
        rounds.append({"ratio": ours / theirs, **figures})
        print(f"{preset} round {number + 1}: {ours:,.0f} against {theirs:,.0f} tokens/s, {ours / theirs:.3f} times", flush=True)
    row = {"preset": preset, "settings": " ".join(settings), "ratio": statistics.median(r["ratio"] for r in rounds)}
    best = {name: max(fastest_rate(r[name]) for r in rounds) for name in sides}
    row["ratio_of_fastest"] = best["unmask"] / best["pytorch_eager"]
    for name in sides:
        row[name] = {"tokens_per_second": statistics.median(r[name]["tokens_per_second"] for r in rounds),
                     "fastest_tokens_per_second": best[name]}
    row["rounds"] = rounds
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", required=True, help="interpreter with torch, for the baseline")
    parser.add_argument("--worker", required=True, help="unmask-worker")
    parser.add_argument("--library-path", help="folder of LibTorch's libraries, where the worker does not find them itself")
    parser.add_argument("--presets", nargs="+", default=["first-steps", "light:batch=4,steps=3"])
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--output", type=pathlib.Path, default=HERE / "results" / "cpu_training.json")
    arguments = parser.parse_args()

    environment = dict(os.environ, OMP_NUM_THREADS=str(arguments.threads))
    if arguments.library_path:
        environment["LD_LIBRARY_PATH"] = arguments.library_path
    rows = [compare(arguments, preset, environment) for preset in arguments.presets]
    result = {
        "benchmark": "cpu_training",
        "time": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "machine": machine(),
        "load_average": os.getloadavg(),
        "threads": arguments.threads,
        "rows": rows,
    }
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    arguments.output.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    slow = [row["preset"] for row in rows if row["ratio"] < 1.0]
    print(f"written to {arguments.output}" + (f"; slower than PyTorch eager: {', '.join(slow)}" if slow else ""))
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
