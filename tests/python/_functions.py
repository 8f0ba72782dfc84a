"""Functions of time of model files, rewritten: scaled, raised, with another unit of their argument, as expressions.
A number, a text (an expression) or an object with a type, see docs/model-format.md. Python's own library only.
"""

import re


class Unsupported(Exception):
    """Nothing these modules can rewrite."""


_SCALED = {"constant": ("value",), "harmonic": ("amplitude", "offset"), "step": ("before", "after"), "ramp": ("from", "to"),
           "pulse": ("height",)}
_ARGUMENT = {"constant": (), "step": ("time", "duration"), "ramp": ("start", "end_time"), "pulse": ("start", "duration", "rise")}


def scaled(function, factor):
    if isinstance(function, (int, float)):
        return factor * function
    if isinstance(function, str):
        return f"({factor!r})*({function})"
    out, kind = dict(function), function["type"]
    for key in _SCALED.get(kind, ()):
        if key in out:
            out[key] *= factor
    if kind == "polynomial":
        out["coefficients"] = [factor * c for c in out["coefficients"]]
    elif kind == "table":
        out["points"] = [[x, factor * y] for x, y in out["points"]]
    elif kind == "expression":
        out["text"] = scaled(out["text"], factor)
    return out


def raised(function, by):
    """f + by."""
    if by == 0:
        return function
    if isinstance(function, (int, float)):
        return function + by
    if isinstance(function, str):
        return f"({function}) + ({by!r})"
    out, kind = dict(function), function["type"]
    if kind == "polynomial":
        out["coefficients"] = [out["coefficients"][0] + by] + out["coefficients"][1:]
    elif kind == "harmonic":
        out["offset"] = out.get("offset", 0) + by
    elif kind == "table":
        out["points"] = [[x, y + by] for x, y in out["points"]]
    elif kind == "expression":
        out["text"] = raised(out["text"], by)
    elif kind in ("constant", "step", "ramp"):
        for key in _SCALED[kind]:
            out[key] = out.get(key, 0) + by
    else:
        raise Unsupported(f"a function of type '{kind}' on another level")
    return out


def stretched(function, factor):
    """f(x/factor): the argument in other units."""
    if isinstance(function, (int, float)):
        return function
    if isinstance(function, str):
        return substituted(function, "x", f"(x/({factor!r}))")
    out, kind = dict(function), function["type"]
    if kind == "polynomial":
        out["coefficients"] = [c / factor**k for k, c in enumerate(out["coefficients"])]
    elif kind == "harmonic":
        out["frequency"] /= factor
    elif kind == "table":
        out["points"] = [[factor * x, y] for x, y in out["points"]]
    elif kind == "expression":
        out["text"] = stretched(out["text"], factor)
    else:
        for key in _ARGUMENT[kind]:
            if key in out:
                out[key] *= factor
    return out


def substituted(expression, variable, by):
    return re.sub(rf"(?<![A-Za-z0-9_.]){variable}(?![A-Za-z0-9_(])", by, expression)


def text_of(function):
    """A function of time as an expression."""
    if isinstance(function, (int, float)):
        return repr(float(function))
    if isinstance(function, str):
        return function
    kind = function["type"]
    if kind == "constant":
        return repr(float(function["value"]))
    if kind == "expression":
        return function["text"]
    if kind == "polynomial":
        return " + ".join(f"({c!r})*t^{k}" for k, c in enumerate(function["coefficients"]))
    if kind == "harmonic":
        f = {"phase": 0, "offset": 0, **function}
        return f"({f['offset']!r}) + ({f['amplitude']!r})*sin(({f['frequency']!r})*t + ({f['phase']!r}))"
    raise Unsupported(f"a function of type '{kind}' as an expression")
