#!/usr/bin/env python3
"""model/ holds no number about hardware: those stand in machines/ alone.

A number in the code of model/ must be allowed below, with the reason, where it is

- one that a machine file holds, and no width of PTX (3 to 8, 16, 24, 31, 32, 63, 64);
- on a line that speaks of hardware: cycles, latency, bandwidth, banks, sectors, ...; 0, 1 and 2 are not looked at;
- a number with a point or an exponent, or from a hundred on.

Allowed everywhere but on such lines are hexadecimal numbers (patterns of bits), places of bits after << and >>, halves, powers of ten of units (1e-6, 100 %), and limits
of the program's own work, which are constants named MOST_, LEAST_, MAX_, DEFAULT_, SOFT_, ..._STEPS and the like.

The test checks itself first: numbers planted into the code must be found.
"""
import fnmatch
import glob
import json
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LEAST_FILES = 100
WIDTHS = {3, 4, 5, 6, 7, 8, 16, 24, 31, 32, 63, 64}
HARDWARE = re.compile(r"cycle|latenc|bandwidth|throughput|clock|hz\b|occupan|bank|sector|line_bytes|cache|dram|l1_|l2_|\btags?\b|pipe|schedul|per_second|"
                      r"overhead|wavefront|granular|register_file|issue|warp_size|LANES\s+\d", re.I)
NUMBER = re.compile(r"(?<![\w.])(0[xX][0-9a-fA-F]+|\d+\.\d*(?:[eE][-+]?\d+)?|\d+[eE][-+]?\d+|\d+)[uUlLfF]*(?![\w.])")

UNITS = {0.5, 100, 1e3, 1e6, 1e9, 1e-3, 1e-6, 1e-9}
OWN_LIMIT = re.compile(r"#define (MOST|LEAST|MAX|DEFAULT|EARLY|SAMPLE|SOFT|TOLERATED)_\w+ |#define \w+_(STEPS|LIMIT_SECONDS) ")

# files, what the line holds, why it may.
ALLOWED = [
    ("observe/*", r"#define \w+_(MOST|SEEN|USUAL|BYTES|NO_FIELD) |\w+_MOST \+ 128|#define LANDLOCK_|0[67]00|UINT64_C\((14695981039346656037|1099511628211)\)|\w\[\d+\]|% (65536|256)|\}? ?seen\[|status (>|-) 128|length < 4096|strlen\(name\) < 400", "bounds of a recording, hashes, and numbers of the operating system"),
    ("cpu/*", r".", "kernels as C: PTX's own widths, patterns and warps of 32, pages of the host, turns of a scheduler; no time is computed there"),
    ("observe/runtime/*", r"CUDART_VERSION|NOT_SUPPORTED", "versions and errors of the CUDA runtime"),
    ("observe/runtime/*", r"1024|65535|49152|maxTexture|Alignment|totalConstMem", "limits that all compute capabilities from 7.5 on share: CUDA C++ Programming Guide, Technical Specifications"),
    ("observe/standin.c", r"1e-9 \*|\* 1e9|/ 1e3|MEMORY_(BITS|CLOCK)|\{\"\", 4096\}", "units; a bus whose width and clock give the machine file's bandwidth"),
    ("observe/runtime/*", r"1e-9 \*|\* 1e6 /", "units"),
    ("observe/runtime/clock.c", r"#define FIRST_SECOND|CLOCKS_PER_SEC", "a clock that stands still begins at a fixed date; units"),
    ("observe/check/check.c", r"#define FASTER", "by how much the clock of a further run is faster: no predicted time depends on it"),
    ("measure/measurement.c", r"microseconds >= 1e-6", "between which times a file of measurements can be believed"),
    ("sweep/influence.c", r"#define TRIPS_WITHIN", "how far assumed trips may be off: an interval, and no time depends on it"),
    ("tune/rank.c", r"#define STORED_SHARE", "from when on a configuration does other work: no time depends on it"),
    ("tune/tune.h", r"#define TUNE_TIE_SHARE", "from when on two configurations are told apart: no time depends on it"),
    ("predict/views.c", r"#define ENDLESS", "from when on a loop can hardly be meant"),
    ("cost/models.c", r"#define LONGEST_SECONDS", "from when on a launch can hardly be meant"),
    ("cost/report.c", r"units\[\] = |value >= 999\.5", "units of time, and when three digits round up to the next one"),
    ("execute/run/local.c", r"#define LOCAL_(BYTES|CELLS)", "effort of the evaluator: how much local memory of a thread it keeps"),
    ("machine/limits.c", r"#define SHARED_EVERY_LAUNCH|\.grid = ", "what CUDA allows on every compute capability: its programming guide's table of technical specifications"),
    ("execute/execute.h", r"#define EXEC_STEPS_FURTHE(R|ST)", "effort of the evaluator where layouts have to be followed alike"),
    ("explain/advice.c", r"#define (SECTOR_EXCESS|MISS_SHARE)", "when a change is worth trying; what it gains is predicted"),
    ("cost/full/numbers.c", r"number(_at)?\(machine, ", "a key of the evidence, the place on its axis, and what follows in its stead from numbers that every file has"),
    ("cost/full/sm/l1.c", r"#define GOLDEN", "the order in which sets lose lines: it only has to jump about"),
    ("cost/full/numbers.c", r"#define WHOLE", "how far a measurement may lie from a whole number of cycles"),
    ("cost/full/numbers.c", r"char issue\[96\]|number_at\(machine, name|WARP_LANES / 1024", "room for a name; places on an axis of threads"),
    ("cost/full/full.c", r"#define WIDE_(LOW|HIGH)", "how far a time may be off that nothing simulated: no time depends on them"),
    ("cost/full/full.c", r"#define (SATURATED|WORTH_SAYING)|LINE_BYTES \* 64", "when a limit is named, a note is worth it; the least L1"),
    ("cost/full/atomic/atomic.h", r"#define FULL_ARRAY_SECTORS", "how content_address() counts"),
    ("cost/full/atomic/busiest.c", r"#define (MANY|MOST_SLOTS)", "more than a sample tells apart; a file that cannot be"),
    ("cost/full/atomic/atomic.c", r"#define PIECE_BYTES|#define LAST", "how the runtime allocates; half of the last wave of blocks"),
    ("cost/full/traffic/dram.c", r"#define FAR_BYTES", "beyond the last place of the table"),
    ("cost/full/traffic/coverage.c", r"#define (LINES_|LOOKS_|WINDOW_|ELEMENTS_|BLOCK_SHIFT|FAR_BYTES)", "effort of looking at lines"),
    ("cost/full/traffic/dram.c", r"full_dram_rate\(machine, 0, 0.5\)", "what random granules drive out: as much is written as read"),
    ("cost/full/numbers.c", r"shares\[FULL_MIXES\]", "shares of writes for which bandwidth.dram_* stand: read, copy of two to one, copy, write"),
    ("cost/full/numbers.h", r"#define FULL_SCHEDULERS", "room: machine/check.c keeps sm.schedulers within"),
    ("cost/full/launch/launch.c", r"#define (BUDGET|LIGHTER|GENERATIONS_MOST|WHOLE|NEARLY|EBBED|SATURATED|LITTLE|SHORT_LIFE|SHORTER|UNEQUAL|IDLE|MAKES_UP|STEPS|REPEATS|DOUBT|PARTS|STEADY)", "effort of the simulation, and when blocks count as unequal, rates as the same"),
    ("cost/full/launch/l1_reuse.c", r"#define (FOLLOWED|NESTED|TOGETHER|ENOUGH|SHORT_PASS)|entries > 1\.5", "effort of looking for what is come to again"),
    ("cost/full/atomic/busiest.c", r"#define PAGE_GROUPS", "groups of 512 bytes in a page of 2 MiB"),
    ("cost/full/numbers.c", r"#define STORE_FLITS", "how many flits a store takes: of its own form, not of a GPU"),
    ("cost/full/sm/lsu.c", r"#define (FLIGHT_MOST|EXCHANGE_WORDS|EXCHANGE_BLOCK)|warp \* 1024", "room; a number for each request to draw by"),
    ("cost/full/dram_latency.c", r"#define (PARTS|ROOM|ROOM_SHIFT|LEVELS|SHARES)|0x9e3779b97f4a7c15|6364136223846793005|>> 33|lines\[LEVELS\]", "room; random numbers; a hash; lines of 256 bytes, one and four kilobytes: busy-h200.csv"),
    ("cost/full/launch/imbalance.c", r"0\.04481|0\.625 / ", "the normal distribution's quantiles, Abramowitz and Stegun 26.2.23; Blom's order statistics"),
    ("cost/full/path.h", r"#define FULL_(OPEN_LINES|OWED|PENDING)", "room"),
    ("cost/full/load_path.c", r"#define (FIRST_SLOTS|GOLDEN|LATELY|BOUNDED_MEAN)|sector_count > ", "room; an order without pattern; the columns of bandwidth.dram_*, of 4, 8 and 16 bytes a lane"),
    ("cost/full/traffic/irregular.c", r"#define (DRAWS|DRAWN|SHORT|HALVINGS)", "effort of the window where addresses follow no pattern"),
    ("cost/full/traffic/irregular.c", r"#define EVEN_LOST", "benchmarks/measured/again-h200.csv: how the share falls that is still there; tests/unit/test_model_full_held.c holds it against that"),
    ("cost/full/sm/store.c", r"#define HASHES", "room of a table"),
    ("cost/full/sm/returns.c", r"#define LOADS", "room of a queue"),
    ("cost/full/traffic/merging.c", r"#define (LINES|STEPS)", "room of tables"),
    ("cost/full/traffic/merging.c", r"#define (FEW|LONELY)", "when a request is an SM's own, and how many of those end its step: walk in meeting-h200.csv; no time depends on them"),
    ("cost/full/traffic/traffic.h", r"#define FULL_LOADS", "places of a table"),
    ("cost/full/traffic/traffic.h", r"#define FULL_SMS", "room of a set"),
    ("cost/full/sm/request.c", r"#define BANKS 32|uint8_t last\[256\]|UINT64_C\(1\) << 60|address\[lane\] / 4 % BANKS|event->bytes > 4 \?", "a bank of one word for each lane; local memory interleaves lanes by words"),
    ("cost/full/sm/request.c", r"#define SCATTERED", "when lanes count as scattered"),
    ("cost/full/residency.c", r"#define (FIRST_SLOTS|FULLEST)", "room of a table"),
    ("execute/count/events.c", r"UINT64_C\(131\)", "a hash"),
    ("compile/store.c", r"UINT64_C\((14695981039346656037|1099511628211)\)", "a hash"),
    ("execute/trace/state.h", r"#define KEPT_PLACES", "room of a table"),
    ("code/variants.c", r"#define SHARED_NAME", "which of two instances a name is closer to: no time depends on it"),
    ("predict/views.c", r"#define MATTERS", "when branches that are not known are looked into"),
    ("cost/full/traffic/shifts.c", r"#define SLOTS", "room of a table"),
    ("cost/full/traffic/window.c", r"#define LOOKUPS", "effort of the window"),
    ("execute/effort.h", r".", "effort of the evaluator, each with its grounds beside it"),
    ("cases/*", r".", "what users write and what is assumed of launches nobody describes, not of hardware"),
    ("trust/*", r"#define (SHORT_SECONDS|SAME_\w+|\w+)|.", "which verdicts are alike: a calibration of errors, no time depends on it"),
    ("predict/why.c", r".", "what a sentence says and in which unit: no time depends on it"),
    ("execute/*", r"#define WARP_LANES 32", "a warp of PTX; machine/check.c refuses machine files with another sm.warp_lanes"),
    ("execute/*", r"#define SECTOR_BYTES 32", "what counts are counts of; machine/check.c refuses files with another l1.sector_bytes or l2.sector_bytes"),
    ("execute/*", r"#define LINE_BYTES 128", "the same for tags; machine/check.c refuses files with another l1.line_bytes"),
    ("execute/*", r"#define (SHARED_BANKS 32|BANK_BYTES 4)", "a bank of one word for each lane; machine/check.c refuses files with other sm.shared_banks"),
    ("execute/*", r"#define (SECTOR|LINE)_SHIFT \d", "the logarithms of SECTOR_BYTES and LINE_BYTES"),
    ("execute/*", r"bank_passes\(address, part, bytes > 16", "the widest access of PTX"),
    ("execute/*", r"address\[lane\] / 4|lane \* 4", "words of 4 bytes: local memory interleaves lanes by words"),
    ("machine/calibration.c", r"#define (LATENCY|RATE)_AGREEMENT", "how far two cards may lie apart before the file says so; no model reads it"),
    ("machine/calibration.c", r"< 1e15", "whole numbers that a double holds"),
    ("machine/check.c", r'\{"", [\de]+, [\de]+\}', "between what a number in a unit can lie at all, to catch MHz given as Hz; no model reads them"),
    ("predict/predict.h", r"#define TIE_SHARE", "how close predictions are ties, as the contract defines it"),
    ("measure/measure.h", r"#define (RANK_TIE|PICK)_SHARE|#define PICK_SHARE_SHORT|#define SHORT_LAUNCH_SECONDS", "how predictions are judged, as the contract defines it"),
    ("execute/*", r"#define BUFFER_SHIFT", "bits of an address within a buffer of the evaluation"),
    ("execute/*", r"shift > 127", "bits of a 128-bit product"),
    ("execute/*", r"percent", "per cent, and how its digits are rounded"),
]


def code_lines(text):
    """The lines without comments, texts and includes."""
    text = re.sub(r"/\*.*?\*/", lambda found: "\n" * found.group(0).count("\n"), text, flags=re.S)
    text = re.sub(r'"(\\.|[^"\\\n])*"|\'(\\.|[^\'\\\n])+\'', '""', text)
    return ["" if line.startswith("#include") else line for line in text.split("\n")]


def numbers_of(line):
    for found in NUMBER.finditer(line):
        text = found.group(1)
        yield text, float(int(text, 16)) if text[:2] in ("0x", "0X") else float(text)


def machine_numbers():
    numbers = set()
    for path in glob.glob(os.path.join(ROOT, "machines", "*.json")):
        if os.path.basename(path) == "schema.json":
            continue
        with open(path, encoding="utf-8") as file:
            machine = json.load(file)
        for group, entries in machine.items():
            for entry in entries.values() if isinstance(entries, dict) and group not in ("calibration", "evidence") else ():
                value = entry["value"] if entry["value"] is not None else entry["assume"]["value"]
                if not isinstance(value, bool):
                    numbers.add(float(value))
    return numbers


def suspicious(line, known):
    """The numbers of a line of code that could be about hardware."""
    if HARDWARE.search(line):
        return [text for text, value in numbers_of(line) if value not in (0, 1, 2)]
    if OWN_LIMIT.search(line):
        return []
    line = re.sub(r"(<<|>>) \d+", "", line)
    return [text for text, value in numbers_of(line) if not text.lower().startswith("0x") and value not in UNITS and value not in (0, 1, 2) and
            ("." in text or "e" in text.lower() or value >= 100 or (value in known and value not in WIDTHS))]


def check(name, text, known, used):
    found = []
    for number, line in enumerate(code_lines(text), 1):
        for literal in suspicious(line, known):
            rule = next((rule for rule in ALLOWED if fnmatch.fnmatch(name, rule[0]) and re.search(rule[1], line)), None)
            if rule:
                used.add(rule)
            else:
                found.append(f"model/{name}:{number}: {literal} in: {line.strip()}")
    return found


def files_of_model():
    """The C files of model/ and its rooms: what to call each, and its path."""
    folder = os.path.join(ROOT, "model")
    for path in sorted(glob.glob(os.path.join(folder, "**", "*.[ch]"), recursive=True)):
        name = os.path.relpath(path, folder)
        yield "execute/" + name if name.startswith("evaluate") else name, path


def main():
    known, used, found = machine_numbers(), set(), []
    planted = ["int l2 = 194;", "double delay = 3.5;", "cycles += 6 * n;", "unsigned sms = 132;", "#define SHARED_BANKS 32", "x = 1.98e9;", "warps = 48;", "#define MOST_BANKS 64", "time *= 1.1;"]
    missed = [line for line in planted if not check("planted.c", line, known, set())]
    if missed or check("planted.c", "mask = 31; bits = 64; /* 285 cycles */ text = \"285\";", known, set()):
        print("the test does not find or finds what it should not:", missed)
        return 1
    files = list(files_of_model())
    for name, path in files:
        with open(path, encoding="utf-8") as file:
            found += check(name, file.read(), known, used)
    for line in found:
        print("FAIL", line)
    stale = [rule for rule in ALLOWED if rule not in used]
    for rule in stale:
        print("note: allowed, but no longer there:", rule[0], rule[1])
    print(f"{len(known)} numbers of machines, {len(used)} places allowed, {len(found)} numbers not allowed")
    if len(files) < LEAST_FILES:
        print("only", len(files), "files were read")
    return 1 if found or len(files) < LEAST_FILES else 0


if __name__ == "__main__":
    sys.exit(main())
