"""Replays a book's certificate.json with the standard library alone; nothing of lnsym is imported.

A claim for every d is tested at random points modulo primes. The d coordinates fall into six groups of equal ones whose sizes are random
numbers too, so d stays a symbol; indices meet in every way. Hypotheses are solved at the point if linear, else put in by value. What is
positive is drawn as a square, a root is the one that is a square: sqrt(m^2 R) = m sqrt(R) for m > 0. Derivatives are dual numbers, expected
values means over eight outcomes, exponents 1, 2, 3. A gap needs a sign that is seen. Not replayed: scalar calculus, numbers that differ.
"""
import json
import sys
from collections import Counter
from contextlib import suppress
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

ROUNDS, TRIES, GROUPS, OUTCOMES, LENGTHS, ORDER = 3, 2000, 6, 8, ("d", "n", "N", "T", "B"), {"<": 2, "<=": 1, "=": 0, "!=": -1}
STEP = 4 * 614889782588491410  # 4 times the primes up to 47: each is a square modulo a prime that is -1 modulo STEP, and -1 is none
PRIMES = [p for p in range(STEP * 2**60 - 1, STEP * (2**60 + 2000), STEP) if pow(2, p - 1, p) == 1]
AGAIN = "no point is found at which the hypotheses hold and the roots exist"
def ensure(good: Any, what: str) -> None:
    if not good:
        raise ValueError(what)
class Book:
    def __init__(self, content: Any) -> None:
        self.terms, self.theory, self.free = content["terms"], content["theory"], list[set[str]]()
        self.defined = {name: (holes, body) for name, holes, body in self.theory["definitions"]}
        for op, *rest in self.terms:  # the free indices of each, fixed places included
            own = {x for x in rest if op in ("entry", "delta") and ":" in x}.union(*(self.free[x] for x in rest if type(x) is int))
            self.free.append(own - {*(rest[:1] if op == "sum" else rest[3:4] if op == "geometric" else ())})
class Point:
    def __init__(self, book: Book, given: Any, draw: Random, values: dict[str, Any]) -> None:
        self.terms, self.free, self.defined, self.draw, self.values = book.terms, book.free, book.defined, draw, {**values}
        self.memo, self.taus, self.known, self.equal = dict[Any, dict[int, int]](), tuple[Any, ...](), list[Any](), list[Any]()
        self.table, self.seen, self.touched, self.groups = dict[Any, int](), dict[int, int](), set[Any](), dict[str, list[int]]()
        self.signs, self.told, self.p = dict.fromkeys(book.theory["positive"], 2), dict[int, int](), draw.choice(PRIMES)
        self.values.update({name: value for kind, name, value in given if kind == "fixed"})
        for kind, left, right, gap in ((*x, [(1, x[2]), (-1, x[1])]) for x in (*given, *book.theory["lengths"]) if x[0] != "fixed"):
            (self.known if ORDER[kind] else self.equal).append((ORDER[kind], gap) if ORDER[kind] else gap)
            if ORDER[kind] > 0 and book.terms[left] == ["num", "0"] and book.terms[right][0] == "sym":
                self.signs[book.terms[right][1]] = max(ORDER[kind], self.signs.get(book.terms[right][1], 0))
        every = [(x, env) for x in self.equal for env in self.places(self.indices(x), {}, True)]
        plain = [(x, env) for x, env in every if not env and self.terms[x[1][1]][-1] not in self.defined]
        if not self.settle(every):  # what is not linear: where the left side's value comes up, the right side's is meant
            ensure(self.settle(plain), AGAIN)
            for (_, right), (_, left) in sorted((x for x in self.equal if (x, {}) not in plain), key=lambda x: len(self.indices(x))):
                for env in self.places(self.indices([(1, left, right)]), {}, True):
                    here, there = (self.ev(x, env).get(0, 0) for x in (left, right))
                    self.told.update({x % self.p: y for x, y in ((here, there), (here - there, 0), (there - here, 0)) if x})
                self.memo.clear()
    def number(self, x: Any) -> dict[int, int]:  # with infinitesimals: numbers by sets of these, each set a mask; their squares are 0
        return self.plus({0: Fraction(x).numerator * pow(Fraction(x).denominator, -1, self.p)})
    def plus(self, *polys: dict[int, int]) -> dict[int, int]:
        return {m: x for m in {m for poly in polys for m in poly} if (x := sum(poly.get(m, 0) for poly in polys) % self.p)}
    def times(self, result: dict[int, int], *rest: dict[int, int]) -> dict[int, int]:
        for right in rest:
            result = self.plus(*({m | n: x * y} for m, x in result.items() for n, y in right.items() if not m & n))
        return result
    def power(self, poly: dict[int, int], e: int) -> dict[int, int]:
        return self.power(self.series(poly, Fraction(-1)), -e) if e < 0 else self.times({0: 1}, *[poly] * e)
    def series(self, poly: dict[int, int], power: Fraction) -> dict[int, int]:  # poly^power, power -1 or 1/2
        base, rest, k = poly.get(0, 0), {m: x for m, x in poly.items() if m}, 0
        inverse = {0: pow(base, -1, self.p)} if rest or power == -1 else {}
        result = term = inverse if power == -1 else {0: pow(base, (self.p + 1) // 4, self.p)}
        ensure(power == -1 or result[0] ** 2 % self.p == base, AGAIN)
        while rest and term:
            term, k = self.times(term, rest, inverse, self.number((power - k) / (k + 1))), k + 1
            result = self.plus(result, term)
        return self.plus(result)
    def members(self, length: str) -> list[int]:  # the sizes of the groups; the length itself, being positive, is a square
        root, *rest = (self.draw.randrange(self.p) for _ in range(GROUPS if length not in self.groups else 1))
        return self.groups.setdefault(length, [1] * int(self.values.get(length, 0)) or [*rest, (root * root - sum(rest)) % self.p])
    def place(self, index: str, env: Any) -> Any:  # where an index stands: the length of its range, the group, which of its members
        length, name, *step = index.replace("#", "").split(":")
        return env[index] if index in env else (length, int(self.values[name]) + int(step[0]) - 1 if step else int(name) - 1, 0)
    def entry(self, name: str, at: Any) -> dict[int, int]:
        value, slopes = self.values.get(name), [{1 << j: 1} for j, tau in enumerate(self.taus) if tau == (name, at)]
        for p in at if value else ():
            value = value and value[p[1]]
        if name in self.defined:
            found = self.ev(self.defined[name][1], dict(zip(self.defined[name][0], at, strict=True)))
        elif value is not None or name in LENGTHS:
            given = self.ev(value, {}) if type(value) is int else self.number(value or 0)
            found = self.plus({0: sum(self.members(name))}) if name in LENGTHS else given
        else:
            key = (not at, name, tuple(p[1] for p in at), len(set(at)))
            self.touched.add(key)
            found = {0: self.table.setdefault(key, self.draw.randrange(2, self.p) ** (1 if at or not self.signs.get(name) else 2) % self.p)}
        return self.plus(found, *slopes)
    def ev(self, n: int, env: Any) -> dict[int, int]:
        key = (n, tuple(sorted((i, env[i]) for i in self.free[n] if i in env)), self.taus, env.get("~"))
        return self.memo[key] if key in self.memo else self.memo.setdefault(key, self.meant(self.see(env, *self.terms[n])))
    def meant(self, found: dict[int, int]) -> dict[int, int]:
        return self.plus({**found, 0: self.told[found[0]]}) if found.get(0) in self.told else found
    def see(self, env: Any, op: str, *a: Any) -> dict[int, int]:
        if op in ("num", "sym", "entry"):
            chance = f"~{env['~'][1]}" if a[0] in env.get("~", ((), 0))[0] else ""
            return self.number(a[0]) if op == "num" else self.entry(a[0] + chance, tuple(self.place(i, env) for i in a[1:]))
        if op in ("add", "mul"):
            return (self.plus if op == "add" else self.times)(*(self.ev(x, env) for x in a))
        if op in ("pow", "root"):
            return self.power(self.ev(a[0], env), int(a[1])) if op == "pow" else self.series(self.ev(a[0], env), Fraction(1, 2))
        if op == "delta":
            return self.number(self.place(a[0], env) == self.place(a[1], env))
        if op == "sum":  # the places named, then the rest of each group at once
            length, here = a[0].split(":")[0], {self.place(x, env) for x in self.free[a[1]] - {a[0]}}.union(*(p for _, p in self.taus))
            spots = [(1, p) for p in here if p[0] == length]
            for k, m in enumerate(self.members(length)):
                named = [p[2] for p in here if p[:2] == (length, k)]
                spots.append((m - len(named), (length, k, max(named, default=-1) + 1)))
            return self.plus(*(self.times({0: m}, self.ev(a[1], {**env, a[0]: p})) for m, p in spots if m))
        if op in ("power", "geometric"):
            b, t = self.entry(a[0], ()), int(self.values[a[1]]) + int(a[2])
            each = [self.times(self.power(b, t - k - 1), self.ev(a[4], {**env, a[3]: ("T", k, 0)})) for k in range(t if a[3:] else 0)]
            return self.plus(*each) if a[3:] else self.power(b, t)
        if op == "expectation":
            weights = [self.entry(f"~{k}", ()) for k in range(OUTCOMES - 1)]
            weights.append(self.plus({0: 1}, *(self.times({0: -1}, x) for x in weights)))
            return self.plus(*(self.times(x, self.ev(a[0], {**env, "~": (a[1:], k)})) for k, x in enumerate(weights)))
        _, name, *indices = self.terms[a[1]]
        ensure(name not in self.defined and name not in LENGTHS, f"a derivative by {name}")
        bit, self.taus = 1 << len(self.taus), (*self.taus, (name, tuple(self.place(i, env) for i in indices)))
        poly, self.taus = self.ev(a[0], env), self.taus[:-1]
        return {m - bit: x for m, x in poly.items() if m & bit}
    def value(self, combination: Any, env: Any) -> dict[int, int]:  # of [(number, term, ...), ...]: the sum of these products
        return self.meant(self.plus(*(self.times(self.number(x), *(self.ev(n, env) for n in terms)) for x, *terms in combination)))
    def indices(self, combination: Any) -> list[str]:
        return sorted(set[str]().union(*(self.free[n] for _, *terms in combination for n in terms)))
    def places(self, indices: list[str], env: Any, every: bool = False) -> list[Any]:  # indices meet each other or fixed places, or not
        for here in (i for i in indices if "#" not in i and i not in env):
            length, named = here.split(":")[0], (self.place(i, env) for i in indices if i in env or "#" in i)
            met = {p for p in named if p[0] == length}
            new = {(length, k, 0) for k in range(len(self.members(length)))} - met
            each = sorted(met | (new if every or length in self.values else {min(new)}))
            return [x for p in each for x in self.places(indices, {**env, here: p}, every)]
        return [env]
    def wrong(self, combination: Any) -> bool:
        return any(self.value(combination, env) for env in self.places(self.indices(combination), {}))
    def settle(self, equations: Any) -> bool:  # make them true if they are linear in numbers drawn
        def values() -> list[int]:
            self.memo, self.taus = {}, ()
            return [self.value(*x).get(0, 0) for x in equations]
        rows, leaves = [[-x] for x in values()], list[Any]()
        for g in sorted(self.touched, key=lambda g: (not g[0], g)):
            self.table[g] += 1
            with suppress(ValueError):
                rows, leaves = [[*row, x + row[0]] for row, x in zip(rows, values(), strict=True)], [*leaves, g]
            self.table[g] -= 1
        for column in range(1, len(leaves) + 1):
            if row := next((r for r in rows if r[column] % self.p and not any(x % self.p for x in r[1:column])), None):
                for other in (r for r in rows if r is not row):
                    other[:] = [(x - y * other[column] * pow(row[column], -1, self.p)) % self.p for x, y in zip(other, row, strict=True)]
        for row in rows:
            if column := next((c for c, x in enumerate(row) if c and x % self.p), 0):
                g = leaves[column - 1]
                self.table[g] = x = (self.table[g] + row[0] * pow(row[column], -1, self.p)) % self.p
                ensure(not g[0] or not self.signs.get(g[1]) or pow(x, (self.p - 1) // 2, self.p) == 1, AGAIN)
        return not any(values())
    def sign(self, n: int) -> int:  # 2 positive, 1 nonnegative, 0 unknown, by structure or by a hypothesis
        return self.seen[n] if n in self.seen else self.seen.setdefault(n, self.look(n))
    def look(self, n: int) -> int:
        op, *a = self.terms[n]
        below = [self.sign(x) for x in (*a, *self.defined.get(a[0] if op == "sym" else "", ())[1:]) if type(x) is int]
        rules: dict[str, Any] = {
            "num": lambda: 2 * (Fraction(a[0]) > 0) or int(a[0] == "0"), "delta": lambda: 1, "root": lambda: max(1, *below),
            "pow": lambda: max(below[0], 1 - int(a[1]) % 2) and max(below[0], 1, 2 * (a[1][0] in "-0")),
            "sym": lambda: max([self.signs.get(a[0], 0), *below]), "add": lambda: max(below) if all(below) else 0,
            **dict.fromkeys(("mul", "sum", "expectation"), lambda: min(below)),
        }
        found: int = rules.get(op, lambda: min([self.signs.get(a[0], 0), *below]))()
        return found if found == 2 else max((s for s, x in self.known if s > found and self.ratio(n, x) > 0), default=found)
    def ratio(self, n: int, other: Any) -> int:  # 1 or -1 if the term is the combination times a simple positive or negative number
        env = self.places(self.indices([(1, n), *other]), {})[0]
        left, right = (self.value(x, env).get(0, 0) for x in ([(1, n)], other))
        wholes = [(left * pow(right, -1, self.p) * k + self.p // 2) % self.p - self.p // 2 for k in range(1, 13) if right]
        return next(((x > 0) - (x < 0) for x in wholes if 0 < abs(x) < 1000), 0)
    def nonzero(self, n: int) -> bool:
        op, *a = self.terms[n]
        known = self.sign(n) == 2 or (op == "num" and a[0] != "0") or any(s in (2, -1) and self.ratio(n, x) for s, x in self.known)
        return known or (op in ("mul", "pow") and all(self.nonzero(x) for x in a if type(x) is int))
def claim(book: Book, item: Any, known: Any) -> None:
    (kind, left, right), how, (start, end, *more), steps = item["claim"], item["evidence"]["kind"], item["evidence"]["terms"], item["steps"]
    (extra, body), minus, only_if = (*more, 0, 0)[:2], [(1, left), (-1, right)], how.startswith("only-if")
    kinds, main_test = {
        "equality": (["="], minus), "induction": (["="], minus), "inequality": (["<", "<="], [(1, right), (-1, left), (-1, extra)]),
        "chain": (list(ORDER), []),
        "squares": (["<", "<="], [(1, right, right), (-1, left, left), (-1, extra)]), "distinct": (["!="], [*minus, (-1, extra)]),
    }.get(how, (["="], [(1, start), (-1, end), (-1, extra, body)]))
    while only_if and book.terms[body][0] == "sum":
        body = book.terms[body][2]
    form = minus if how == "only-if" else [(1, left, left), (-2, left, right), (1, right, right)]
    premise, given, whole = item["given"][-1:], item["given"][: -1 if only_if else None], item["given"]
    ensure(kind in kinds and (premise == [["=", start, end]] if only_if else [start, end] == [left, right]), "evidence of another claim")
    ensure([left, *(x["after"] for x in steps)] == [*(x["before"] for x in steps), right] or not steps, "the steps lead elsewhere")
    ensure(all((x["kind"] in ("<", "<=")) == len(x["gap"]) and x["kind"] != "!=" for x in steps), "a step without its gap")
    forms, tests = dict(item["forms"]), [("the evidence", main_test), *([("the form", [*form, (-1, body)])] if only_if else [])]
    tests += [(f"the form of term {n}", [(1, n), (-1, m)]) for n, m in forms.items()]
    tests += [(f"step {n}", [(1, x["after"]), (-1, x["before"]), *((-1, y) for y in x["gap"])]) for n, x in enumerate(steps, 1)]
    signs = [(ORDER[kind], extra), (1, right if how == "squares" else extra)] if how in ("inequality", "squares") else []
    ensure(how != "chain" or max((ORDER[x["kind"]] for x in steps), default=-1) == ORDER[kind], "the steps show another relation")
    signs += [(ORDER[x["kind"]], y) for x in steps for y in x["gap"]]
    for _, index, body, pairs in ((*book.terms[n], pairs) for n, pairs in item["evidence"]["sums"]):
        tests.append((f"the sum of {body}", [(1, body), *((-1, *pair) for pair in pairs)]))
        ensure(not any(index in book.free[coefficient] for coefficient, _ in pairs), f"a coefficient in the sum of {body} varies")
    lemmas = [c["claim"] for s in steps for x in s["theorems"] for c in known[x]["claims"] if all(h in whole for h in c.get("given", "?"))]
    for value in "0123"[how != "induction" :] if item["exponents"] else "0":
        done, attempt, fixed = 0, 0, dict.fromkeys(item["exponents"], value)
        while done < ROUNDS:
            attempt += 1
            try:
                point = Point(book, [*given, *lemmas], Random(attempt), fixed)
                for what, x in tests:  # a step holds by the hypotheses, or without them
                    ensure(not point.wrong(x) or not Point(book, [h for h in given if h[0] != "="], Random(attempt), fixed).wrong(x), what)
                ensure(all(max(point.sign(n), point.sign(forms.get(n, n))) >= least for least, n in signs), "no sign is seen of a gap")
                ensure(how[0] not in "od" or point.nonzero(extra) or point.nonzero(forms.get(extra, extra)), "a factor may be zero")
                done += 1
            except ValueError as failure:
                ensure(failure.args == (AGAIN,) and attempt < TRIES, failure.args[0])
def digest(value: Any, known: list[str]) -> str:  # with each term's own digest in place of its number
    spelled = json.loads(json.dumps(value), parse_int=lambda x: known[int(x)])
    return sha256(json.dumps(spelled, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
def hashes(content: Any) -> dict[str, str]:  # of each theorem with the theory and what it cites; under "" that of the book
    terms = list[str]()
    for row in content["terms"]:
        terms.append(digest(row, terms))
    found = {"": digest(content["theory"], terms)}
    for x in content["theorems"]:
        found[x["name"]] = digest([found[""], [found[p] for p in x["premises"]], {k: y for k, y in x.items() if k != "hash"}], terms)
    return {**found, "": digest([*found.values()], terms)}
def main(path: str) -> str | int:
    content = json.loads(Path(path).read_text(encoding="utf-8"))
    book, counts, earlier, where = Book(content), Counter[str](), dict[str, Any](), "the book"
    try:
        for theorem in content["theorems"]:
            for n, item in enumerate(theorem["claims"], 1):
                where = f"{theorem['name']}, claim {n}"
                for part in item.get("parts", [item] if "claim" in item else []):
                    claim(book, part, earlier)
                how = "".join([item["status"], *(f", {x} = 1, 2, 3" for x in item.get("exponents", ()))])
                counts.update({f"claims {how}": 1, "steps": len(item.get("steps", ()))})
            earlier[theorem["name"]] = theorem
        where = "hashes"
        ensure(hashes(content) == {"": content["hash"], **{x["name"]: x["hash"] for x in content["theorems"]}}, "not those of the content")
    except (LookupError, TypeError, ValueError) as failure:
        return f"{where}: {failure.args[0]}"
    sys.stdout.write("".join(f"{count} {what}\n" for what, count in sorted(counts.items())))
    return 0
if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
