"""Documentation from the element records: docstrings, help, and the stubs of the package (write_stubs)."""

import keyword

from . import _core
from ._model import Model, _Runnable

_RECORDS = _core.records()
_KINDS = tuple(kind for kind in _RECORDS if kind != "setting")  # joint, driver, force, contact, output, switch


def _line(field):
    unit = f" [{field['unit']}]" if field["unit"] else ""
    choices = f"; one of {', '.join(field['choices'])}" if field["choices"] else ""
    space = "" if field["spaces"] == "both" else f" ({field['spaces']})"
    return f"    {field['name']}{'' if field['required'] else '?'}: {field['help']}{unit}{choices}{space}"


def describe(kind, type=None):
    """What types of joint, driver, force, contact, output or switch there are, or the fields of one: help("joint", "revolute")."""
    if kind not in _KINDS:
        raise ValueError("expected " + ", ".join(map(repr, _KINDS)))
    chosen = [r for r in _RECORDS[kind] if type in (None, r["type"])]
    if not chosen:
        raise ValueError(f"expected a type of {kind}: " + ", ".join(r["type"] for r in _RECORDS[kind]))
    print("\n".join("\n".join([f"{r['type']}: {r['summary']}", *map(_line, r["fields"])]) for r in chosen))


def _document():
    for kind in _KINDS:
        article = "an" if kind[0] in "aeiou" else "a"
        if kind == "switch":  # of one type, which goes without saying
            lines = [f"Adds {article} {kind}: {_RECORDS[kind][0]['summary']}. Fields (? may be left out):", ""]
        else:
            lines = [f"Adds {article} {kind}. Types and fields (? may be left out; 'a.b' is an entry b of the dictionary a):", ""]
        for record in _RECORDS[kind]:
            lines += ([] if kind == "switch" else [f"{record['type']}: {record['summary']}"]) + [*map(_line, record["fields"])]
        getattr(Model, kind).__doc__ = "\n".join(lines)
    settings = "\n".join(f"    {name}: {help_}{f' [{unit}]' if unit else ''}" for name, _, unit, help_ in _RECORDS["setting"])
    _Runnable.run.__doc__ += f"\n\n{settings}\n    options: of the methods, {{name: value}}\n"


_document()


def _keywords(record):
    """Names of the keywords of an element, and whether they must be there; fields "a.b" are entries of one keyword a."""
    words = {}
    for field in record["fields"]:
        name, dot, _ = field["name"].partition(".")
        if not keyword.iskeyword(name):
            words[name] = words.get(name, False) or (field["required"] and field["spaces"] == "both" and not dot)
    return dict(sorted(words.items(), key=lambda word: not word[1]))


_MAPPING = ("    def __getitem__(self, name: str) -> np.ndarray: ...", "    def __iter__(self) -> Iterator[str]: ...", "    def __len__(self) -> int: ...")


def stubs():
    """The text of __init__.pyi."""
    settings = ", ".join(f"{name}: {type_} | None = ..." for name, type_, _, _ in _RECORDS["setting"])
    settings += ", options: dict[str, float | str] | None = ..."
    common = f"parameters: dict[str, float] | None = ..., *, {settings}"
    out = ["# Made by driftless._records from the element records.", "from collections.abc import Callable, Iterator, Mapping, Sequence",
           "from os import PathLike", "from typing import Any, Literal, overload", "", "import numpy as np", "import pandas", "import xarray", "",
           "__version__: str", "_Number = float | str", "_Path = str | PathLike[str]", "_Point = str | dict[str, Any]", "",
           "class InputError(ValueError):", "    source: str", "    path: str", "    expected: str", "    found: str", "    hint: str",
           "    complaints: list[tuple[str, str, str, str]]", "",
           "class Columns(Mapping[str, np.ndarray]):", "    names: tuple[str, ...]", "    units: dict[str, str]", "    array: np.ndarray",
           "    summary: dict[str, Any] | None", *_MAPPING, "",
           "class Page:", "    html: str", "    def save(self, path: _Path) -> str: ...", "",
           "class Results(Mapping[str, np.ndarray]):",
           *[f"    {name}: {type_}" for name, type_ in (
               ("t", "np.ndarray"), ("outputs", "Columns"), ("q", "Columns"), ("v", "Columns"), ("vdot", "Columns"),
               ("multipliers", "Columns"), ("steps", "Columns"), ("drift", "Columns"), ("energy", "Columns"), ("poses", "np.ndarray"),
               ("reactions", "np.ndarray"), ("ok", "bool"), ("name", "str"), ("status", "str"), ("message", "str"),
               ("parameters", "dict[str, float]"), ("warnings", "list[str]"), ("notices", "list[str]"),
               ("statistics", "dict[str, Any]"), ("provenance", "dict[str, Any]"), ("events", "list[tuple[float, str]]"),
               ("redundant_rows", "list[str]"), ("body_names", "list[str]"), ("joint_names", "list[str]"))],
           *_MAPPING, "    def to_pandas(self) -> pandas.DataFrame: ...", "    def to_xarray(self) -> xarray.Dataset: ...",
           "    def save(self, path: _Path) -> None: ...", "    def view(self) -> Page: ...", "",
           "class Comparison:", "    title: str", "    reference: str", "    rows: list[dict[str, Any]]", "    page: Page | None",
           "    def to_pandas(self) -> pandas.DataFrame: ...", "",
           "class _Runnable:",
           f"    def run(self, {common.replace('*, ', 'start_from: _Path | None = ..., out: _Path | None = ..., *, ')}) -> Results: ...",
           f"    def check(self, {common}) -> dict[str, Any]: ...",
           "    def compare(self, methods: str | Sequence[str] | None = ..., rtol: float | Sequence[float] = ..., "
           "step: float | Sequence[float] = ..., parameters: dict[str, float] | None = ..., page: bool = ..., **settings: Any) -> Comparison: ...",
           "    def sweep(self, values: dict[str, str | float | Sequence[float]], measures: str | Sequence[str] = ..., random: int = ..., "
           "seed: int = ..., jobs: int | None = ..., out: _Path | None = ..., parameters: dict[str, float] | None = ..., **settings: Any) -> Sweep: ...", "",
           "class Sweep:", "    parameters: dict[str, np.ndarray]", "    measures: dict[str, np.ndarray]", "    status: list[str]", "    message: list[str]",
           "    page: Page", "    def __len__(self) -> int: ...", "    def __getitem__(self, name: str) -> np.ndarray: ...",
           "    def to_pandas(self) -> pandas.DataFrame: ...", "",
           "class Ground:", "    points: dict[str, Sequence[_Number]]", "    axes: dict[str, Sequence[_Number]]", "    shapes: list[dict[str, Any]]", "",
           "class Model(_Runnable):", "    tree: dict[str, Any]", "    name: str", "    parameters: dict[str, Any]", "    simulate: dict[str, Any]",
           "    initial: dict[str, Any]", "    ground: Ground",
           "    def __init__(self, name: str = ..., *, space: Literal['planar', 'spatial'] | None = ..., gravity: Sequence[_Number] | None = ..., "
           "parameters: dict[str, Any] | None = ..., description: str | None = ..., simulate: dict[str, Any] | None = ..., folder: str = ...) -> None: ...",
           "    def body(self, name: str, *, mass: _Number = ..., inertia: Any = ..., **fields: Any) -> dict[str, Any]: ..."]
    for kind in _KINDS:
        for record in _RECORDS[kind]:
            words = [f"{name}: Any{'' if required else ' = ...'}" for name, required in _keywords(record).items()]
            if kind == "switch":
                out.append(f"    def switch(self, name: str, *, {', '.join(words)}) -> dict[str, Any]: ...")
                continue
            if len(_RECORDS[kind]) > 1:
                out.append("    @overload")
            out.append(f"    def {kind}(self, name: str, type: Literal['{record['type']}'], *, {', '.join(words)}) -> dict[str, Any]: ...")
    out += ["    def input(self, name: str, value: _Number | dict[str, Any] | Callable[..., float] = ..., *, reads: str | Sequence[str] = ..., "
            "unit: str | None = ..., every: float | None = ...) -> dict[str, Any]: ...",
            "    def stop_when(self, output: str, crosses: _Number, direction: Literal['any', 'up', 'down'] = ...) -> dict[str, Any]: ..."]
    out += ["    def include(self, file: _Path, prefix: str = ..., **fields: Any) -> dict[str, Any]: ...", "    def to_dict(self) -> dict[str, Any]: ...",
            "    def to_json(self) -> str: ...", "    def save(self, path: _Path) -> None: ...", "",
            "class Problem(_Runnable):", "    name: str", "    def __init__(self, name: str) -> None: ...", "",
            "class Equations(_Runnable):", "    def __init__(self, name: str = ..., **equations: Any) -> None: ...", "",
            "def load(path: _Path) -> Results: ...", "def load_model(path: _Path) -> Model: ...",
            "def view(results: Results | Sequence[Results], names: Sequence[str] | None = ..., title: str | None = ...) -> Page: ...",
            "def compare(model: _Runnable, **keywords: Any) -> Comparison: ...",
            "def sweep(model: _Runnable, values: dict[str, Any], measures: str | Sequence[str] = ..., **keywords: Any) -> Sweep: ...",
            f"def help(kind: Literal[{', '.join(map(repr, _KINDS))}], type: str | None = ...) -> None: ...", ""]
    return "\n".join(out)


def write_stubs(path):
    with open(path, "w", encoding="utf-8") as file:
        file.write(stubs())
