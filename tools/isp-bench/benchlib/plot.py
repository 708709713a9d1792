# SPDX-License-Identifier: GPL-2.0-only
"""Plots as SVG text: axes, stepped outlines, lines with points, grouped bars.

Colours are classes (s0, s1, ...; f0, f1, ... for floors) that the page's style defines for light and dark.
"""

import html
import math

FONT = 12


def escape(text):
    """Text for use between tags and in attributes."""
    return html.escape(str(text))


def number(value):
    """A short number for people: 1.5k, 20, 0.05."""
    for size, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= size:
            return f"{value / size:.3g}{unit}"
    return f"{value:.3g}"


def _coordinate(value):
    return f"{value:.2f}".rstrip("0").rstrip(".")


class Linear:
    """A scale from 0 to above the largest value."""

    def __init__(self, largest, ticks=5):
        raw = (largest or 1) / ticks
        power = 10.0 ** math.floor(math.log10(raw))
        step = next(s * power for s in (1, 2, 2.5, 5, 10) if s * power >= raw * (1 - 1e-9))
        self.top = step * math.ceil(largest / step * (1 - 1e-9)) if largest else step
        self.ticks = [step * i for i in range(round(self.top / step) + 1)]

    def place(self, value):
        """0 to 1."""
        return value / self.top


class Log:
    """A scale of powers; values are above 0."""

    def __init__(self, smallest, largest, base=10):
        self.base = base
        self.low = math.floor(math.log(smallest, base) + 1e-9)
        self.high = max(math.ceil(math.log(largest, base) - 1e-9), self.low + 1)
        self.ticks = [float(base) ** p for p in range(self.low, self.high + 1)]

    def place(self, value):
        """0 to 1."""
        return (math.log(value, self.base) - self.low) / (self.high - self.low)


class Tight(Log):
    """A scale of powers of ten that begins and ends near the values, with ticks at 1, 2, 5."""

    def __init__(self, smallest, largest):
        super().__init__(smallest, largest)
        margin = max((math.log10(largest) - math.log10(smallest)) * 0.04, 0.05)
        first, last = self.low, self.high
        self.low, self.high = math.log10(smallest) - margin, math.log10(largest) + margin
        decades = [10.0 ** p for p in range(first - 1, last + 1)]
        steps = (1,) if self.high - self.low > 4 else (1, 2, 5) if self.high - self.low > 0.5 else range(1, 10)
        self.ticks = [d * s for d in decades for s in steps if self.low <= math.log10(d * s) <= self.high]
        if len(self.ticks) < 2:
            self.ticks = [10 ** self.low, 10 ** self.high]


class Plot:
    """A drawing area with axes.  Add marks, then take text()."""

    def __init__(self, title, x, y, size=(520, 260)):
        """Params: title, for people who hear the page; x and y, (label, scale), a scale of None for named places."""
        self._title = title
        self.x_label, self.x = x
        self.y_label, self.y = y
        self.width, self.height = size
        self.left, self.right, self.top, self.bottom = 58, 12, 12, 46
        self.inner = self.width - self.left - self.right, self.height - self.top - self.bottom
        self._marks = []

    def at(self, x, y):
        """Point of a pair of values."""
        return (self.left + self.x.place(x) * self.inner[0], self._at_y(y))

    def _at_y(self, y):
        return self.top + (1 - self.y.place(y)) * self.inner[1]

    def _path(self, points, kind, tip):
        path = " ".join(f"{'L' if i else 'M'}{_coordinate(a)} {_coordinate(b)}" for i, (a, b) in enumerate(points))
        self._marks.append(f'<path class="{kind}" d="{path}"><title>{escape(tip)}</title></path>')

    def steps(self, kind, buckets, tip):
        """An outline over buckets [(lower, upper, value)]; where there is none it is not drawn."""
        bottom = self.top + self.inner[1]
        lumps = []
        for lower, upper, value in buckets:
            (left, y), (right, _) = self.at(lower, value), self.at(upper, value)
            if not lumps or left > lumps[-1][-1][0] + 0.01:
                lumps.append([(left, bottom)])
            lumps[-1] += [(left, y), (right, y)]
        for lump in lumps:
            for part in ("area", "line"):
                self._path([*lump, (lump[-1][0], bottom)], f"{kind} {part}", tip)

    def line(self, kind, points, tips):
        """A line through points, each with a dot and a text of its own."""
        placed = [self.at(x, y) for x, y in points]
        if len(placed) > 1:
            self._path(placed, f"{kind} line", tips[0].partition(":")[0])
        for (x, y), tip in zip(placed, tips):
            self._marks.append(f'<circle class="{kind} dot" cx="{_coordinate(x)}" cy="{_coordinate(y)}" r="3.5">'
                               f"<title>{escape(tip)}</title></circle>")

    def bars(self, groups, names):
        """Bars side by side.

        Params: groups, [[(kind, value or None, tip)]], one for each named place; names of the places.
        """
        slot = self.inner[0] / len(groups)
        thick = min(slot * 0.8 / max(map(len, groups)), 34)
        for place, (group, name) in enumerate(zip(groups, names)):
            middle = self.left + slot * (place + 0.5)
            for i, (kind, value, tip) in enumerate(group):
                if value is not None:
                    self._bar(kind, middle + (i - len(group) / 2) * thick, thick, value, tip)
            self._marks.append(f'<text class="tick" x="{_coordinate(middle)}" y="{self.height - 28}" '
                               f'text-anchor="middle">{escape(name)}</text>')

    def _bar(self, kind, left, thick, value, tip):
        """The end of a bar is round, its foot stands on the axis."""
        y, bottom = self._at_y(value), self.top + self.inner[1]
        width = max(thick - 2, 1)
        radius = min(3, width / 2, max(bottom - y, 0))
        a, b, c, d, e = (_coordinate(v) for v in (left + 1, bottom, y + radius, radius, width - 2 * radius))
        self._marks.append(
            f'<path class="{kind} bar" d="M{a} {b}V{c}q0 -{d} {d} -{d}h{e}q{d} 0 {d} {d}V{b}Z">'
            f"<title>{escape(tip)}</title></path>")

    def _axes(self):
        right, bottom = self.width - self.right, self.top + self.inner[1]
        out = []
        for tick in self.y.ticks:
            y = _coordinate(self._at_y(tick))
            out.append(f'<line class="grid" x1="{self.left}" x2="{right}" y1="{y}" y2="{y}"/>'
                       f'<text class="tick" x="{self.left - 6}" y="{y}" dy="0.32em" text-anchor="end">{number(tick)}</text>')
        for tick in self.x.ticks if self.x else ():
            x = _coordinate(self.left + self.x.place(tick) * self.inner[0])
            out.append(f'<line class="grid" x1="{x}" x2="{x}" y1="{self.top}" y2="{bottom}"/>'
                       f'<text class="tick" x="{x}" y="{self.height - 28}" text-anchor="middle">{number(tick)}</text>')
        out.append(f'<line class="axis" x1="{self.left}" x2="{right}" y1="{bottom}" y2="{bottom}"/>')
        out.append(f'<text class="label" x="{self.left + self.inner[0] / 2}" y="{self.height - 8}" '
                   f'text-anchor="middle">{escape(self.x_label)}</text>')
        out.append(f'<text class="label" transform="translate(13 {self.top + self.inner[1] / 2}) rotate(-90)" '
                   f'text-anchor="middle">{escape(self.y_label)}</text>')
        return out

    def text(self):
        """The SVG element."""
        return (f'<svg viewBox="0 0 {self.width} {self.height}" role="img" aria-label="{escape(self._title)}">'
                + "".join(self._axes() + self._marks) + "</svg>")
