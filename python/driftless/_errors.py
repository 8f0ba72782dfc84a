"""Mistakes of the caller."""


class InputError(ValueError):
    """Something given to driftless is wrong: where, what was expected, what was found, what to try.

    `path`, `expected`, `found` and `hint` are those of the first complaint; `complaints` has all of them, each a tuple of the
    four; `source` is the file or model they belong to.
    """

    def __init__(self, source, complaints):
        self.source = source
        self.complaints = [tuple(c) for c in complaints]
        self.path, self.expected, self.found, self.hint = self.complaints[0] if self.complaints else ("", "", "", "")
        super().__init__("\n".join(self._line(*c) for c in self.complaints))

    def _line(self, path, expected, found, hint):
        where = ": ".join(part for part in (self.source, path) if part)
        what = ", ".join(part for part in (expected and f"expected {expected}", found and f"found {found}") if part)
        return ": ".join(part for part in (where, what) if part) + (f"; {hint}" if hint else "")

    def __reduce__(self):
        return (InputError, (self.source, self.complaints))
