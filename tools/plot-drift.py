#!/usr/bin/env python3
"""Plots the drift of several runs over time: max |g| on a logarithmic scale, as SVG. Needs nothing but Python.

    driftless run andrews --t-end 0.3 --stabilization none --out none.csv
    driftless run andrews --t-end 0.3 --formulation baumgarte --out baumgarte.csv
    driftless run andrews --t-end 0.3 --out pstab.csv
    tools/plot-drift.py --out drift.svg none=none.csv baumgarte=baumgarte.csv pstab=pstab.csv

Each argument is LABEL=FILE.csv, a result of `driftless run` without --output-step (a record for every step).
--column drift.velocity plots max |J v - nu| instead, --title sets the heading.
"""

import argparse
import csv
import math
import sys
from html import escape

WIDTH, HEIGHT = 760, 420
LEFT, RIGHT, TOP, BOTTOM = 78, 150, 46, 56  # margins
COLOURS = ["#b23a48", "#b0793a", "#3b6ea5", "#5b8f5b", "#7b5ea7", "#52606d"]
FLOOR = 1e-17  # what is smaller is drawn here: log 0 has no place
BINS = 300  # one point each: the largest value in it


def read(path, column):
    """Times and values of one column; its unit."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = csv.reader(line for line in file if not line.startswith("#"))
        header = next(rows)
        names = [name.split(" [")[0] for name in header]
        if column not in names:
            sys.exit(f"{path}: no column '{column}'; there are: {', '.join(n for n in names if '.' in n)}")
        index = names.index(column)
        unit = header[index].split(" [")[1].rstrip("]") if " [" in header[index] else ""
        points = [(float(row[0]), float(row[index])) for row in rows if row[index]]
    if len(points) < 2:
        sys.exit(f"{path}: fewer than two records")
    return points, unit


def envelope(points):
    """The largest value of each of BINS equal intervals of time."""
    start, end = points[0][0], points[-1][0]
    largest = {}
    for t, value in points:
        bin_number = min(BINS - 1, int(BINS * (t - start) / (end - start)))
        largest[bin_number] = max(largest.get(bin_number, 0.0), abs(value))
    return [(start + (n + 1) / BINS * (end - start), max(FLOOR, v)) for n, v in sorted(largest.items())]


def nice_step(span):
    """1, 2 or 5 times a power of ten, such that about six of them fill the span."""
    power = 10 ** math.floor(math.log10(span / 6))
    return next(m * power for m in (1, 2, 5, 10) if span / (m * power) <= 7)


def label_places(ends):
    """Where labels go: at the ends of their curves, but never closer than a line to one another."""
    places, lowest = [0.0] * len(ends), -math.inf
    for number in sorted(range(len(ends)), key=lambda n: ends[n]):
        lowest = places[number] = max(ends[number] + 4, lowest + 16)
    return places


def plot(curves, title, y_label):
    t_end = max(points[-1][0] for _, points in curves)
    values = [v for _, points in curves for _, v in points]
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    high = max(high, low + 1)

    def x(t):
        return LEFT + (WIDTH - LEFT - RIGHT) * t / t_end

    def y(value):
        return TOP + (HEIGHT - TOP - BOTTOM) * (high - math.log10(value)) / (high - low)

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
        ' role="img" font-family="DejaVu Sans, Helvetica, Arial, sans-serif" font-size="13" fill="#1f2933">',
        f"  <title>{escape(title)}</title>",
        f'  <rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        f'  <text x="{LEFT}" y="26" font-size="15" font-weight="bold">{escape(title)}</text>',
    ]
    for exponent in range(low, high + 1, max(1, math.ceil((high - low) / 8))):
        level = y(10.0**exponent)
        out.append(f'  <line x1="{LEFT}" y1="{level:.1f}" x2="{WIDTH - RIGHT}" y2="{level:.1f}" stroke="#e4e7eb"/>')
        out.append(f'  <text x="{LEFT - 8}" y="{level + 4:.1f}" text-anchor="end">1e{exponent:+03d}</text>')
    step = nice_step(t_end)
    for k in range(int(t_end / step + 1e-6) + 1):
        at = x(k * step)
        out.append(f'  <line x1="{at:.1f}" y1="{TOP}" x2="{at:.1f}" y2="{HEIGHT - BOTTOM}" stroke="#e4e7eb"/>')
        out.append(f'  <text x="{at:.1f}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">{k * step:g}</text>')
    out.append(
        f'  <rect x="{LEFT}" y="{TOP}" width="{WIDTH - LEFT - RIGHT}" height="{HEIGHT - TOP - BOTTOM}" fill="none"'
        ' stroke="#7b8794"/>'
    )
    out.append(f'  <text x="{(LEFT + WIDTH - RIGHT) / 2:.0f}" y="{HEIGHT - 14}" text-anchor="middle">t [s]</text>')
    out.append(
        f'  <text transform="translate(18 {(TOP + HEIGHT - BOTTOM) / 2:.0f}) rotate(-90)" text-anchor="middle">'
        f"{escape(y_label)}</text>"
    )
    places = label_places([y(points[-1][1]) for _, points in curves])
    for number, (label, points) in enumerate(curves):
        colour = COLOURS[number % len(COLOURS)]
        path = " ".join(f"{x(t):.1f},{y(value):.1f}" for t, value in points)
        out.append(f'  <polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.6"/>')
        out.append(f'  <text x="{WIDTH - RIGHT + 8}" y="{places[number]:.1f}" fill="{colour}">{escape(label)}</text>')
    out.append("</svg>")
    return "\n".join(out) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="+", metavar="LABEL=FILE.csv")
    parser.add_argument("--out", required=True, metavar="FILE.svg")
    parser.add_argument("--column", default="drift.position")
    parser.add_argument("--title", default="Constraint drift")
    arguments = parser.parse_args()
    curves, unit = [], ""
    for run in arguments.runs:
        label, equals, path = run.partition("=")
        if not equals:
            parser.error(f"'{run}': expected LABEL=FILE.csv")
        try:
            points, unit = read(path, arguments.column)
        except OSError as error:
            sys.exit(f"{path}: {error.strerror}")
        curves.append((label, envelope(points)))
    symbol = {"drift.position": "max |g|", "drift.velocity": "max |J v \N{MINUS SIGN} \N{GREEK SMALL LETTER NU}|"}
    y_label = symbol.get(arguments.column, arguments.column) + (f" [{unit}]" if unit else "")
    with open(arguments.out, "w", encoding="utf-8") as file:
        file.write(plot(curves, arguments.title, y_label))


if __name__ == "__main__":
    main()
