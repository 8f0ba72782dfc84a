"""A page, read as the viewer reads it."""

import base64
import json
import math
import re
import struct
import zlib

PLACES = (r'<script type="application/json" id="driftless-data">(.*?)</script>',
          r'<script type="text/plain" id="driftless-binary">(.*?)</script>')


class PageFile:
    """The page's object and its arrays."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.html = file.read()
        (data,), (binary,) = (re.findall(place, self.html, re.S) for place in PLACES)
        self.data = json.loads(data)
        self.bytes = zlib.decompress(base64.b64decode(binary, validate=True))

    def array(self, ref):
        """A number stands for all frames."""
        if isinstance(ref, (int, float)):
            return ref
        at, n, kind = ref["at"], ref["n"], ref["type"]
        if kind in ("f64", "f32", "u32"):
            return list(struct.unpack_from(f"<{n}" + {"f64": "d", "f32": "f", "u32": "I"}[kind], self.bytes, at))
        code, out = 0, []
        for low, high in zip(self.bytes[at:at + n], self.bytes[at + n:at + 2 * n]):
            code = (code + low + 256 * high) % 65536
            value = ref["min"] + code / 65534 * (ref["max"] - ref["min"])
            out.append(math.nan if code == 65535 else 10**value if kind == "log16" else value)
        return out

    def signal(self, name, run=0):
        run = self.data["runs"][run]
        signal = next(s for s in run["signals"] if s["name"] == name)
        time = signal["time"]
        return self.array(run["times"][time] if isinstance(time, str) else time), self.array(signal["data"]), signal
