"""What every peer does: say what it can measure, then measure a round for each line that comes."""

import json
import sys
import time


def per_call(count, call, settle=lambda: None):
    """A case: nanoseconds of one of `count` calls; `settle` is not measured."""

    def measure():
        start = time.perf_counter_ns()
        for i in range(count):
            call(i)
        end = time.perf_counter_ns()
        settle()
        return (end - start) / count

    return measure


def throughput(count, call, settle):
    """A case: the same with what `settle` waits for."""

    def all_of_them(_):
        for i in range(count):
            call(i)
        settle()

    one = per_call(1, all_of_them)
    return lambda: one() / count


def followed_by(call, other):
    """One call behind the other."""

    def both(i):
        call(i)
        other()

    return both


def serve(name, version, cases):
    print(json.dumps({"name": name, "version": version, "cases": list(cases)}), flush=True)
    for line in sys.stdin:
        print(json.dumps(cases[line.rstrip("\n")]()), flush=True)
