"""What tools/fuzz does to models and files: mutations that know the structure of JSON, elements of one model in another, bytes."""

import copy
import math

WILD = [0, -0.0, 1, -1, 2, 0.5, -0.5, 1e-9, -1e-9, 1e-300, 1e300, -1e300, 1e16, 1e-16, math.pi, 3, 7, 100, -100, 1e6, 65536,
        2**31, -2**31, 2**63, 5e-324]
WORDS = ["", "x", "ground", "nobody", "é", "a" * 300, "../x", "0", "NaN", "t", "sin(t)", "1/t", "sqrt(-1)", "exp(1000)", "t t",
         "((((", "x.y", "crank.theta", "\u0000", "%s%n"]
JUNK = [None, True, False, [], {}, "text", 1, -1, 1e300, [1], [[]], {"a": 1}, [0, 0], [0, 0, 0], "1/0"]


def places(value, path=()):
    """All containers with their keys."""
    if isinstance(value, dict):
        for key in value:
            yield value, key
            yield from places(value[key], (*path, key))
    elif isinstance(value, list):
        for key in range(len(value)):
            yield value, key
            yield from places(value[key], (*path, key))


def mutate(model, donor, rng):
    every = list(places(model))
    if not every:
        return
    holder, key = rng.choice(every)
    value = holder[key]
    way = rng.random()
    if way < 0.15:
        del holder[key]
    elif way < 0.25:
        holder[key] = copy.deepcopy(rng.choice(JUNK))
    elif way < 0.35 and isinstance(holder, list):
        holder.insert(key, copy.deepcopy(value))
    elif way < 0.45:
        others = [h[k] for h, k in every if k == key and type(h[k]) is type(value)]
        others += [h[k] for h, k in places(donor) if k == key]
        if others:
            holder[key] = copy.deepcopy(rng.choice(others))
    elif way < 0.5 and isinstance(holder, dict):
        holder[rng.choice(WORDS + ["type", "name", "body", "mass"])] = value
    elif isinstance(value, bool):
        holder[key] = not value
    elif isinstance(value, (int, float)):
        how = rng.random()
        holder[key] = (rng.choice(WILD) if how < 0.5 else -value if how < 0.65 else value * rng.choice([1e-6, 0.1, 10, 1e6])
                       if how < 0.9 else value + rng.choice([-1, 1]) * 10.0 ** -rng.randrange(16))
    elif isinstance(value, str):
        names = [h[k] for h, k in every if isinstance(h[k], str)]
        holder[key] = rng.choice(names + WORDS)
    elif isinstance(value, list) and value:
        rng.choice([lambda: rng.shuffle(value), value.pop, lambda: value.extend(copy.deepcopy(value)), value.clear])()
    else:
        holder[key] = copy.deepcopy(rng.choice(JUNK))


def graft(model, donor, rng):
    """An element of the donor, held to bodies and joints of this model."""
    def names(of, key):
        every = of[key] if isinstance(of.get(key), list) else []
        return [e["name"] for e in every if isinstance(e, dict) and isinstance(e.get("name"), str)]

    kinds = [k for k in ("bodies", "joints", "drivers", "forces", "contacts", "switches", "outputs") if names(donor, k)]
    if not kinds:
        return
    kind = rng.choice(kinds)
    element = copy.deepcopy(rng.choice(donor[kind]))
    here = {key: names(model, key) for key in ("bodies", "joints", "forces", "outputs")}
    there = {key: names(donor, key) for key in here}
    bodies = model["bodies"] if here["bodies"] else []
    points = [f"{b['name']}.{p}" for b in bodies if isinstance(b, dict) and isinstance(b.get("points"), dict) and "name" in b for p in b["points"]]
    for holder, key in list(places(element)):
        word = holder[key]
        if key == "name" or not isinstance(word, str):
            continue
        if "." in word and word.split(".")[0] in [*there["bodies"], "ground"] and points:
            holder[key] = rng.choice(points)
        for every in here:
            if word in there[every] and here[every]:
                holder[key] = rng.choice(here[every])
    if isinstance(model.setdefault(kind, []), list):
        model[kind].insert(rng.randrange(len(model[kind]) + 1), element)


def damage(data, rng):
    data = bytearray(data)
    for _ in range(rng.choice([1, 1, 2, 4, 16])):
        if not data:
            return bytes(data)
        at, way = rng.randrange(len(data)), rng.random()
        if way < 0.45:
            data[at] ^= 1 << rng.randrange(8)
        elif way < 0.6:
            data[at] = rng.choice([0, 255, 127, 128, rng.randrange(256)])
        elif way < 0.7:
            del data[at:at + rng.choice([1, 8, 512])]
        elif way < 0.8:
            data[at:at] = rng.randbytes(rng.choice([1, 8, 64]))
        elif way < 0.9:
            n = min(rng.choice([4, 8, 64]), len(data) - at)
            data[at:at + n] = rng.choice([b"\0", b"\xff", bytes([rng.randrange(256)])]) * n
        elif way < 0.95:
            other = rng.randrange(len(data))
            n = min(rng.choice([8, 64, 512]), len(data) - at, len(data) - other)
            data[at:at + n] = data[other:other + n]
        else:
            del data[at:]
    return bytes(data)
