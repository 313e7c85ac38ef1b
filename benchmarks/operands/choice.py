#!/usr/bin/env python3
"""Reads what ./choice (choice.cu) prints, and prints as CSV which of the warps that wait goes first: benchmarks/measured/choice-h200.csv.

    ./choice | ./choice.py

A row for each launch. Stores and loads: `choices` are those between warps of several blocks on one scheduler, `oldest` and `youngest` the shares in which the block of the one that went
was the oldest or youngest of them, `longest` that in which it had waited longest; `choices_within` are those in which others of its own block waited, too, `longest_within` and
`highest_within` the shares in which of those it had waited longest or had the highest number. A warp waits once its last access is WAITING cycles old.

Multiplications: `choices` are pairs of warps of different blocks on one scheduler, `oldest` the share in which the older block's ends its first 64 before the other's; `choices_within` and
`highest_within` pairs of one block and the share in which the one with the higher number does. Only those count that have not ended their first 64 when the scheduler's first warp has
ended all: before, who left the loop that all wait in first goes first.

`second`, `third`, `fourth`: cycles by which the other schedulers' first warps of the first block of an SM come later than the first scheduler's to the first clock, whose code is cold;
medians over the SMs. python3 without packages.
"""
import statistics
import sys

COLUMNS = "kind,steps,threads,blocks,choices,oldest,youngest,longest,choices_within,longest_within,highest_within,second,third,fourth"
SCHEDULERS = 4
WAITING = 8


class Warp:
    def __init__(self, words):
        self.sm, self.block, self.number, self.slot = words[:4]
        self.clocks = words[4:]

    def waits_since(self, time):
        """The clock before the access that it waits to make at that time, or None."""
        for before, after in zip(self.clocks, self.clocks[1:-1]):
            if before + WAITING < time <= after:
                return before
        return None


def launches_read(stream):
    launches = {}
    for line in stream:
        words = line.strip().split(",")
        launches.setdefault((words[0], *map(int, words[1:4])), []).append(Warp([int(word) for word in words[4:]]))
    return launches


def schedulers_of(warps):
    groups = {}
    for warp in warps:
        groups.setdefault((warp.sm, warp.slot % SCHEDULERS), []).append(warp)
    return groups.values()


def choices_count(warps, counts):
    """Adds up what one scheduler chose: each clock after an access but the last one is such a moment."""
    for one in warps:
        for time in one.clocks[1:-1]:
            waiting = [(other, since) for other, since in ((other, other.waits_since(time)) for other in warps) if since is not None]
            mine = [since for other, since in waiting if other is one]
            if not mine or len({other.block for other, _ in waiting}) < 2:
                continue
            blocks = [other.block for other, _ in waiting]
            within = [(other.number, since) for other, since in waiting if other.block == one.block]
            counts["choices"] += 1
            counts["oldest"] += one.block == min(blocks)
            counts["youngest"] += one.block == max(blocks)
            counts["longest"] += mine[0] == min(since for _, since in waiting)
            if len(within) > 1:
                counts["choices_within"] += 1
                counts["longest_within"] += mine[0] == min(since for _, since in within)
                counts["highest_within"] += one.number == max(number for number, _ in within)


def pairs_count(warps, counts):
    ended = min(warp.clocks[-1] for warp in warps)
    warps = [warp for warp in warps if warp.clocks[1] > ended]
    for i, one in enumerate(warps):
        for other in warps[:i]:
            first, second = sorted((one, other), key=lambda warp: warp.clocks[1])
            if first.clocks[1] == second.clocks[1]:
                continue
            if one.block == other.block:
                counts["choices_within"] += 1
                counts["highest_within"] += first.number > second.number
            else:
                counts["choices"] += 1
                counts["oldest"] += first.block < second.block
                counts["youngest"] += first.block > second.block


def delays(warps):
    """When the schedulers' first warps of each SM's first block read the first clock, after the first one."""
    rows = []
    for sm in {warp.sm for warp in warps}:
        here = [warp for warp in warps if warp.sm == sm]
        first = min(warp.block for warp in here)
        earliest = sorted(min(warp.clocks[0] for warp in group) for group in schedulers_of([warp for warp in here if warp.block == first]))
        if len(earliest) == SCHEDULERS:
            rows.append([time - earliest[0] for time in earliest[1:]])
    return ["%d" % statistics.median(column) for column in zip(*rows)] or [""] * (SCHEDULERS - 1)


def share(counts, name, of):
    return "%.3f" % (counts[name] / counts[of]) if counts[of] and counts[name] is not None else ""


def main():
    print(COLUMNS)
    for launch, warps in launches_read(sys.stdin).items():
        names = COLUMNS.split(",")[4:11]
        counts = dict.fromkeys(names, 0)
        multiplies = launch[0].startswith("chains")
        for group in schedulers_of(warps):
            (pairs_count if multiplies else choices_count)(group, counts)
        if multiplies:
            counts["longest"] = counts["longest_within"] = None
        print(",".join([*map(str, launch), str(counts["choices"]), *(share(counts, name, "choices") for name in names[1:4]), str(counts["choices_within"]),
                        *(share(counts, name, "choices_within") for name in names[5:]),
                        *([""] * (SCHEDULERS - 1) if multiplies else delays(warps))]))


main()
