"""A fuzzer of model files: valid ones are mutated as data and as text, in every language.

    python tests/files/fuzz.py 20000        # inputs; prints how many were good, and the kinds of refusal

Every input must end as a ModelFile or as a RouthError, within SLOWEST seconds: never another exception, never a hang.
"""

from __future__ import annotations

import copy
import faulthandler
import json
import random
import sys
import time
from collections import Counter

import routh as rt
from routh.files import elements
from routh.files.quantities import QUANTITIES

SLOWEST = 5.0  # seconds; an input takes about a millisecond, the rest is room for a loaded machine
HANG = 60.0  # seconds after which the process is ended with its stack

ODD = [
    None, True, False, 0, -1, 1, -0.0, 1e-320, 1e308, -1e308, 10**400, float("inf"), float("-inf"), float("nan"),
    "", " ", ".", "..", "a.b", "ground", "1 m", "-5 kg", "1e999 m", "5 furlong", "nan m", "30 deg", "1e-300 s", "x" * 5000,
    "\x00", "\u202e", "💥", "<script>alert(1)</script>", "../../etc/passwd", "__import__('os')", "${HOME}", "%s%n",
    [], {}, [[]], [1], [1, 2], [1, 2, 3], [0, 0, 0, 0], [[1, 2], [3, 4]], [None], ["1 m", 2], {"type": "Disk"},
    {"type": "Table"}, {"type": "Law"}, {"type": None}, {"type": ["Disk"]}, {"a": {"a": {"a": {}}}}, [[[[[[]]]]]],
]  # fmt: skip


def words() -> list[str]:
    """Names that mean something in a file: sections, types and fields."""
    found = {"format", "start", "run", "type", "name", "t_end", *elements.sections()}
    for family in elements.sections().values():
        found |= set(elements.types_of(family))
    return sorted(found | {key.rpartition(".")[2] for family in QUANTITIES.values() for key in family})


WORDS = words()


def places(data):
    """Every (holder, key) inside the data."""
    found, left = [], [data]
    while left:
        holder = left.pop()
        for key in list(holder) if isinstance(holder, dict) else range(len(holder)):
            found.append((holder, key))
            if isinstance(holder[key], (dict, list)):
                left.append(holder[key])
    return found


def mutated(rng, data):
    """The data with one to four things wrong."""
    data = copy.deepcopy(data)
    for _ in range(rng.randint(1, 4)):
        spots = places(data)
        if not spots:
            return data
        holder, key = rng.choice(spots)
        match rng.randrange(8):
            case 0 | 1 | 2:
                holder[key] = copy.deepcopy(rng.choice(ODD))
            case 3:
                del holder[key]
            case 4 if isinstance(holder, dict):
                holder[rng.choice([*WORDS, "spam", "", "a.b"])] = holder.pop(key)
            case 5 if isinstance(holder[key], (int, float)) and not isinstance(holder[key], bool) and abs(holder[key]) < 1e300:
                holder[key] = rng.choice(
                    [-holder[key], holder[key] * 1e200, 0, f"{holder[key]} mm", f"{holder[key]} kg", holder[key] + 0.5]
                )
            case 6:
                other_holder, other_key = rng.choice(spots)
                holder[key] = (
                    copy.deepcopy(other_holder[other_key]) if other_key in range(99) or other_key in other_holder else None
                )
            case _ if isinstance(holder, dict):
                holder[rng.choice(WORDS)] = copy.deepcopy(rng.choice(ODD))
    return data


def smeared(rng, text):
    """The text with some characters cut, doubled, swapped or replaced."""
    for _ in range(rng.randint(1, 5)):
        i, j = sorted(rng.randrange(len(text) + 1) for _ in range(2))
        j = min(j, i + rng.choice([1, 2, 10, 100]))
        match rng.randrange(4):
            case 0:
                text = text[:i] + text[j:]
            case 1:
                text = text[:j] + text[i:]
            case 2:
                text = (
                    text[:i]
                    + rng.choice(
                        ['"', "'", "[", "]", "{", "}", "=", ":", "\n", "#", ",", ".", "&a ", "*a", "!!", "\x00", "\\", "é"]
                    )
                    + text[j:]
                )
            case _:
                text = (
                    text[:i]
                    + rng.choice(["[" * 50, "{a=" * 30, "a." * 40, "1" * 500, "- " * 60, '"""', "<!DOCTYPE a>", "\t", "---\n"])
                    + text[i:]
                )
    return text


def inputs(seed, seeds):
    """An endless stream of (language, text); `seeds` are good files as JSON data, or pairs (language, text) of robots."""
    rng = random.Random(seed)
    written = [
        (language, rt.format_model(file, language=language)) for file in seeds["files"] for language in ("toml", "json", "yaml")
    ]
    data = [json.loads(rt.format_model(file, language="json")) for file in seeds["files"]]
    # small ones more often: they are as odd as large ones, and quicker
    shares = {id(kind): [1.0 / len(str(seed)) for seed in kind] for kind in (data, written)}

    def pick(kind):
        return rng.choices(kind, shares[id(kind)])[0]

    while True:
        match rng.randrange(10):
            case 0 | 1 | 2 | 3 | 4:
                yield "json", json.dumps(mutated(rng, pick(data)))
            case 5:  # JSON is YAML
                yield "yaml", json.dumps(mutated(rng, pick(data)))
            case 6 | 7:
                language, text = pick(written)
                yield language, smeared(rng, text)
            case 8:
                language, text = rng.choice(seeds["robots"])
                yield language, smeared(rng, text)
            case _:
                text = bytes(rng.randrange(256) for _ in range(rng.randrange(200)))
                yield rng.choice(["toml", "json", "yaml", "urdf", "mjcf"]), text


def run(count, seed, seeds):
    """Feed `count` inputs; return how each ended. Fails on the first that ends badly."""
    ends: Counter[str] = Counter()
    longest = 0
    stream = inputs(seed, seeds)
    for n in range(count):
        language, text = next(stream)
        faulthandler.dump_traceback_later(HANG, exit=True)
        began = time.process_time()
        try:
            rt.parse_model(text, language, name="fuzz", law=rt.Newton(0.5, 0.5) if n % 2 else None)
            ends["good"] += 1
        except rt.errors.RouthError as error:
            ends[type(error).__name__] += 1
            longest = max(longest, len(str(error)))
        except Exception as error:
            raise AssertionError(
                f"input {n} of seed {seed}, {language}: {type(error).__name__}: {error}\n{text[:3000]!r}"
            ) from error
        finally:
            faulthandler.cancel_dump_traceback_later()
        spent = time.process_time() - began
        assert spent < SLOWEST, f"input {n} of seed {seed}, {language}: {spent:.1f} s\n{text[:3000]!r}"
    assert longest < 2000, f"seed {seed}: a message of {longest} characters"
    return ends


if __name__ == "__main__":
    from test_fuzz import SEEDS

    began = time.perf_counter()
    print(run(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0, SEEDS), f"{time.perf_counter() - began:.1f} s")
