"""Build backend of pip (PEP 517): compiles with CMake, packs what `cmake --install --component python` gives.

No requirements of its own. CMAKE_ARGS of the environment are passed on; the build folder is build/pip."""

import base64
import hashlib
import os
import pathlib
import re
import shlex
import subprocess
import sys
import sysconfig
import tempfile
import zipfile

_ROOT = pathlib.Path(__file__).resolve().parent.parent
_BUILD = _ROOT / "build" / "pip"


def get_requires_for_build_wheel(config_settings=None):
    return []


def get_requires_for_build_sdist(config_settings=None):
    return []


def _field(name):
    text = (_ROOT / "pyproject.toml").read_text(encoding="utf-8")
    return re.search(rf'^{name} = "([^"]*)"', text, re.M).group(1)


def _metadata():
    lines = [
        "Metadata-Version: 2.1",
        "Name: driftless",
        f"Version: {_field('version')}",
        f"Summary: {_field('description')}",
        f"Requires-Python: {_field('requires-python')}",
        "Requires-Dist: numpy",
        "License: BSD-3-Clause",
        "Description-Content-Type: text/markdown",
        "",
        (_ROOT / "README.md").read_text(encoding="utf-8"),
    ]
    return "\n".join(lines)


def _tag():
    version = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{version}-{version}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"


def _wheel():
    return f"Wheel-Version: 1.0\nGenerator: driftless\nRoot-Is-Purelib: false\nTag: {_tag()}\n"


def _compile(prefix):
    generator = ["-G", "Ninja"] if "CMAKE_GENERATOR" not in os.environ else []
    # Headers and numpy are those of the python behind the virtual environment; pip's isolation must not hide them.
    python = getattr(sys, "_base_executable", sys.executable)
    outside = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONNOUSERSITE")}
    def run(command):
        subprocess.check_call(command, env=outside)

    run(
        ["cmake", "-S", str(_ROOT), "-B", str(_BUILD), *generator, "-DCMAKE_BUILD_TYPE=Release", "-DBUILD_TESTING=OFF",
         "-DDRIFTLESS_BENCHMARKS=OFF", "-DDRIFTLESS_PYTHON=ON", f"-DPython_EXECUTABLE={python}",
         "-DDRIFTLESS_PYTHON_DIR=.", *shlex.split(os.environ.get("CMAKE_ARGS", ""))])
    jobs = os.environ.get("JOBS", str(os.cpu_count() or 1))
    run(["cmake", "--build", str(_BUILD), "--parallel", jobs, "--target", "driftless_package"])
    run(["cmake", "--install", str(_BUILD), "--component", "python", "--prefix", str(prefix), "--strip"])


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    """So that pip need not compile to know the name."""
    info = f"driftless-{_field('version')}.dist-info"
    folder = pathlib.Path(metadata_directory) / info
    folder.mkdir()
    (folder / "METADATA").write_text(_metadata(), encoding="utf-8")
    (folder / "WHEEL").write_text(_wheel(), encoding="utf-8")
    return info


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    info = f"driftless-{_field('version')}.dist-info"
    name = f"driftless-{_field('version')}-{_tag()}.whl"
    with tempfile.TemporaryDirectory() as prefix:
        _compile(prefix)
        files = {str(p.relative_to(prefix)): p.read_bytes() for p in sorted(pathlib.Path(prefix).rglob("*")) if p.is_file()}
    files[f"{info}/METADATA"] = _metadata().encode()
    files[f"{info}/WHEEL"] = _wheel().encode()
    files[f"{info}/LICENSE"] = (_ROOT / "LICENSE").read_bytes()
    record = f"{info}/RECORD"
    lines = []
    for path, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        lines.append(f"{path},sha256={digest},{len(data)}")
    files[record] = ("\n".join([*lines, f"{record},,"]) + "\n").encode()
    with zipfile.ZipFile(os.path.join(wheel_directory, name), "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in files.items():
            entry = zipfile.ZipInfo(path)
            entry.external_attr = (0o755 if path.endswith(".so") else 0o644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, data)
    return name


def build_sdist(sdist_directory, config_settings=None):
    """What git has."""
    name = f"driftless-{_field('version')}"
    archive = os.path.join(sdist_directory, f"{name}.tar.gz")
    subprocess.check_call(["git", "-C", str(_ROOT), "archive", "--format=tar.gz", f"--prefix={name}/", "-o", archive, "HEAD"])
    return os.path.basename(archive)
