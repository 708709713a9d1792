# SPDX-License-Identifier: GPL-2.0-only
"""One HTML page of a results file: tables and plots, nothing from elsewhere, no script."""

import math
import re

from . import figures
from . import plot
from . import results as res
from . import tables
from .plot import escape

# Colours of series: apart for eyes that do not tell red from green, on light and on dark.
LIGHT = ("#2a78d6", "#d95926", "#1a9c70", "#8c5fd0", "#b98000")
DARK = ("#4c93ea", "#ec7446", "#2fb587", "#a98af0", "#d9a02e")
LIGHT_FLOORS = ("#7a7973", "#a5a39b")
DARK_FLOORS = ("#9b9a93", "#6f6e68")
BINS_PER_OCTAVE = 8
NARROW = 4      # times the shortest latency

STYLE = """
:root { color-scheme: light dark; --page: #fbfbf9; --card: #ffffff; --ink: #1c1b19; --soft: #5d5b55; --rule: #e4e2dc;
  --grid: #eeece7; --good: #0b7a3e; --bad: #b3341f; @LIGHT@ }
@media (prefers-color-scheme: dark) {
  :root { --page: #161614; --card: #1e1e1b; --ink: #f1f0ec; --soft: #a9a79f; --rule: #35342f; --grid: #2a2925;
    --good: #52c487; --bad: #f0836c; @DARK@ } }
* { box-sizing: border-box }
body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.5 system-ui, sans-serif }
main { max-width: 1260px; margin: 0 auto; padding: 32px 24px 64px }
h1 { font-size: 26px; margin: 0 0 4px; letter-spacing: -0.01em }
h2 { font-size: 20px; margin: 48px 0 8px; padding-top: 20px; border-top: 1px solid var(--rule) }
h3 { font-size: 15px; margin: 24px 0 8px }
p { max-width: 75ch; margin: 8px 0 }
.soft, figcaption, dt { color: var(--soft) }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 16px; margin: 16px 0 }
dd { margin: 0 }
nav a { margin-right: 16px }
a { color: var(--s0) }
.key { display: flex; flex-wrap: wrap; gap: 4px 20px; margin: 12px 0; padding: 0; list-style: none }
.key svg { width: 22px; height: 10px; margin-right: 6px; vertical-align: 0 }
.plots { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(440px, 100%), 1fr)); gap: 16px }
.three { grid-template-columns: repeat(auto-fill, minmax(min(350px, 100%), 1fr)) }
figure { margin: 0; padding: 12px 12px 4px; background: var(--card); border: 1px solid var(--rule); border-radius: 8px }
figcaption { font-size: 14px; margin: 0 4px 4px }
figcaption b { color: var(--ink); font-weight: 600 }
svg { display: block; width: 100%; height: auto }
.key svg { display: inline-block }
.tick { font-size: 11px; fill: var(--soft); font-variant-numeric: tabular-nums }
.label { font-size: 12px; fill: var(--soft) }
.grid { stroke: var(--grid) }
.axis { stroke: var(--soft) }
.line { fill: none; stroke: var(--c); stroke-width: 1.75; stroke-linejoin: round }
.area { fill: var(--c); fill-opacity: 0.12; stroke: none }
.dot { fill: var(--c); stroke: var(--card); stroke-width: 1.5 }
.bar { fill: var(--c) }
.f0.line { stroke-dasharray: 5 3 }
.f1.line { stroke-dasharray: 1.5 2.5 }
.f0.area, .f1.area { fill-opacity: 0.06 }
.tables { display: flex; flex-wrap: wrap; align-items: flex-start; gap: 0 32px }
.tables > div { max-width: 100% }
.scroll { overflow-x: auto }
table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; margin: 4px 0 8px }
th, td { padding: 3px 7px; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--rule) }
th { font-weight: 600; color: var(--soft); vertical-align: bottom }
th:first-child, td:first-child { text-align: left; padding-left: 0; padding-right: 16px }
td:first-child { white-space: normal; max-width: 20em }
.floor { color: var(--soft) }
.good { color: var(--good) }
.bad { color: var(--bad) }
details { margin: 16px 0 }
summary { cursor: pointer; font-weight: 600 }
@media print { figure { break-inside: avoid } }
"""


def _heading(text):
    """A figure's title for the page, which has letters that a terminal may not have."""
    return re.sub(r"\bus$", "\u00b5s", text[:1].upper() + text[1:])


class Series:
    """The drivers and floors of results, each with its class of colours, the same all over the page."""

    def __init__(self, runs):
        self.drivers, self.floors = res.drivers(runs)
        self.kinds = {d: f"s{i % len(LIGHT)}" for i, d in enumerate(self.drivers)}
        self.kinds.update({f: f"f{i % len(LIGHT_FLOORS)}" for i, f in enumerate(self.floors)})

    def of(self, group):
        """[(driver, kind, run)] of the runs of a case that did not fail; floors first, so that drivers are drawn over
        them."""
        names = [*self.floors, *self.drivers]
        return [(n, self.kinds[n], group[n]) for n in names if n in group and not res.failed(group[n])]

    def key(self, names=None):
        """The legend."""
        items = "".join(
            f'<li><svg viewBox="0 0 22 10" aria-hidden="true"><path class="{self.kinds[n]} line" d="M1 5H21"/></svg>'
            f"{escape(n)}{' (floor)' if n in self.floors else ''}</li>"
            for n in (*self.drivers, *self.floors) if names is None or n in names)
        return f'<ul class="key">{items}</ul>'


def _style():
    def colours(drivers, floors):
        return " ".join([*(f"--s{i}: {c};" for i, c in enumerate(drivers)),
                         *(f"--f{i}: {c};" for i, c in enumerate(floors))])

    classes = "".join(f".{k}{i} {{ --c: var(--{k}{i}) }}\n"
                      for k, count in (("s", len(LIGHT)), ("f", len(LIGHT_FLOORS))) for i in range(count))
    return STYLE.replace("@LIGHT@", colours(LIGHT, LIGHT_FLOORS)).replace("@DARK@", colours(DARK, DARK_FLOORS)) + classes


def _figure(title, note, svg):
    return f"<figure><figcaption><b>{escape(title)}</b>{escape(note and ', ' + note)}</figcaption>{svg}</figure>"


def rebin(hist, per_octave=BINS_PER_OCTAVE):
    """A histogram [[lower ns, upper ns, count]] in wider bins: [(lower us, upper us, count)]."""
    bins = {}
    for lower, upper, count in hist:
        number = math.floor(math.log2(max((lower + upper) / 2, 1)) * per_octave)
        bins[number] = bins.get(number, 0) + count
    return [(2 ** (n / per_octave) / 1000, 2 ** ((n + 1) / per_octave) / 1000, bins[n]) for n in sorted(bins)]


def bins_of(runs):
    """The bins of each run's histogram: isp-io's own where all latencies are close together, else wider ones."""
    hists = [run["io"]["hist"] for run in runs]
    if max(h[-1][1] for h in hists) < NARROW * max(min(h[0][0] for h in hists), 1):
        return [[(max(lower, 1) / 1000, upper / 1000, count) for lower, upper, count in h] for h in hists]
    return [rebin(h) for h in hists]


def histogram(series, case, group):
    """Latencies of a case, both axes of powers: what is rare is often what matters."""
    shown = series.of(group)
    if not shown:
        return ""
    shown = [(*s, bins) for s, bins in zip(shown, bins_of([run for *_, run in shown]))]
    x = plot.Tight(min(b[0][0] for *_, b in shown), max(b[-1][1] for *_, b in shown))
    least = min(100 * count / run["io"]["ops"] for *_, run, bins in shown for *_, count in bins)
    drawing = plot.Plot(f"Latencies of {case}", ("Latency, \u00b5s", x),
                        ("Share of operations, %", plot.Log(min(least, 10) / 1.5, 100)))
    for name, kind, run, bins in shown:
        lat = run["io"]["lat"]
        drawing.steps(kind, [(lo, up, 100 * n / run["io"]["ops"]) for lo, up, n in bins],
                      f"{name}: p50 {lat['p50'] / 1000:.3f} us, p99 {lat['p99'] / 1000:.3f} us, "
                      f"max {lat['max'] / 1000:.3f} us")
    return _figure(case, "", drawing.text())


def depth_plots(series, runs):
    """A figure against queue depth, for each kind of I/O that was done at three depths or more."""
    kinds = {}
    for run in runs:
        name = figures.depth_series(run)
        if name is not None:
            kinds.setdefault(name, []).append(run)
    out = []
    for name, group in kinds.items():
        depths = sorted({r["io"]["qd"] for r in group})
        if len(depths) < 3:
            continue
        for figure in (figures.MEAN, figures.P99, figures.IOPS):
            out.append(_depth_plot(series, name, group, depths, figure))
    return out


def _depth_plot(series, name, group, depths, figure):
    values = [v for v in map(figure.of, group) if v is not None]
    y = plot.Linear(max(values)) if figure.more_is_better else plot.Tight(min(values), max(values))
    drawing = plot.Plot(f"{figure.name} of {name} against queue depth",
                        ("Queue depth", plot.Log(depths[0], depths[-1], 2)), (_heading(figure.title), y), (400, 260))
    for driver in (*series.floors, *series.drivers):
        points = sorted((r["io"]["qd"], figure.of(r)) for r in group if r["driver"] == driver)
        if points:
            drawing.line(series.kinds[driver], points,
                         [f"{driver}: queue depth {q}, {figure.text(v)} {figure.unit}".rstrip() for q, v in points])
    return _figure(name, figure.name, drawing.text())


def tiobench_plots(series, runs):
    """Bars: rate and longest latency against threads, for each filesystem and kind of I/O."""
    out = []
    for (filesystem, kind), group in tables.tiobench_groups(runs).items():
        threads = sorted({r["io"].get("threads", 1) for r in group})
        for figure in (figures.RATE, figures.MAXIMUM_MS):
            values = [v for v in map(figure.of, group) if v is not None]
            drawing = plot.Plot(f"{figure.name} of {filesystem} {kind}", ("Threads", None),
                                (_heading(figure.title), plot.Linear(max(values))))
            drawing.bars([_tiobench_bars(series, group, count, figure) for count in threads], threads)
            out.append(_figure(f"{filesystem} {kind}".strip(), figure.name, drawing.text()))
    return out


def _tiobench_bars(series, group, threads, figure):
    bars, there = [], {r["driver"] for r in group}
    for driver in filter(there.__contains__, (*series.drivers, *series.floors)):
        run = next((r for r in group if r["driver"] == driver and r["io"].get("threads", 1) == threads), None)
        value = figure.of(run)
        bars.append((series.kinds[driver], value, f"{driver}: {figure.text(value)} {figure.unit}, {threads} threads"))
    return bars


def _table(head, rows):
    """Params: head, texts; rows, [[(text, class)]]."""
    top = "".join(f"<th>{escape(h)}</th>" for h in head)
    body = "".join("<tr>" + "".join(f'<td class="{c}">{escape(t)}</td>' if c else f"<td>{escape(t)}</td>"
                                    for t, c in row) + "</tr>" for row in rows)
    return f'<div class="scroll"><table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>'


def _judged(figure, value):
    """A ratio with the class of its colour: within half a percent neither is better."""
    if value is None:
        return "-", ""
    better = value > 1 if figure.more_is_better else value < 1
    return f"{value:.3f}", "" if abs(value - 1) < 0.005 else "good" if better else "bad"


def figure_table(series, figure, runs):
    """A figure of all cases of a table, as HTML; "" where nobody has it."""
    if not tables.of_figure(figure, runs):
        return ""
    rows = []
    floors = [f for f in series.floors if any(figure.of(r) is not None for r in runs if r["driver"] == f)]
    for case, group in res.by_case(runs).items():
        row = [(case, "")] + [(figure.text(figure.of(group.get(d))), "") for d in series.drivers]
        row += [_judged(figure, figures.ratio(figure, group.get(series.drivers[0]), group.get(d)))
                for d in series.drivers[1:]]
        row += [(figure.text(figure.of(group.get(f))), "floor") for f in floors]
        rows.append(row)
    head = ["case", *series.drivers, *(f"{series.drivers[0]} / {d}" for d in series.drivers[1:]), *floors]
    return f"<div><h3>{escape(_heading(figure.title))}</h3>{_table(head, rows)}</div>"


def tiobench_tables(series, runs):
    """tiobench's columns, as HTML."""
    out = []
    for (filesystem, kind), group in tables.tiobench_groups(runs).items():
        rows = []
        for run in sorted(group, key=lambda r: r["io"].get("threads", 1)):
            rows.append([(run["driver"], ""), (run["io"].get("threads", 1), ""),
                         *((f.text(f.of(run)), "") for f in tables.TIO_FIGURES)])
        out.append(f"<h3>{escape(f'{filesystem} {kind}'.strip())}</h3>"
                   + _table(["driver", "threads", *(_heading(f.title) for f in tables.TIO_FIGURES)], rows))
    return out + _tiobench_ratio_table(series, runs)


def _tiobench_ratio_table(series, runs):
    out = []
    for other in series.drivers[1:]:
        rows, rates = [], []
        for (filesystem, kind, threads), group in tables.tiobench_cells(runs).items():
            pair = group.get(series.drivers[0]), group.get(other)
            values = [figures.ratio(f, *pair) for f in (figures.RATE, figures.MAXIMUM_MS)]
            if None not in values:
                rates.append(values[0])
                rows.append([(f"{filesystem} {kind}".strip(), ""), (threads, ""), _judged(figures.RATE, values[0]),
                             _judged(figures.MAXIMUM_MS, values[1])])
        if rows:
            rows.append([("geometric mean", ""), ("", ""), _judged(figures.RATE, tables.geometric_mean(rates)), ("", "")])
            out.append(f"<h3>{escape(series.drivers[0])} / {escape(other)}</h3>"
                       + _table(["cell", "threads", "rate", "maximum latency"], rows))
    return out


def _section(series, table, runs):
    out = [f'<h2 id="{escape(table)}">{escape(table)}</h2>', series.key({r["driver"] for r in runs})]
    if table == tables.TIOBENCH:
        out += ['<div class="plots">', *tiobench_plots(series, runs), "</div>", *tiobench_tables(series, runs)]
    else:
        plots = depth_plots(series, runs)
        if plots:
            out += ["<h3>Against queue depth</h3>", '<div class="plots three">', *plots, "</div>"]
        out += [*_histograms(series, runs), '<div class="tables">',
                *(figure_table(series, f, runs) for f in figures.ALL), "</div>"]
    for run in filter(res.failed, runs):
        out.append(f'<p class="bad">{escape(run["driver"])}, {escape(run["case"])}: {escape(run["io"]["error"])}</p>')
    return out


def _histograms(series, runs):
    """Open where they are few."""
    drawn = [h for h in (histogram(series, c, g) for c, g in res.by_case(runs).items()) if h]
    opened = " open" if len(drawn) <= 8 else ""
    return [f"<details{opened}><summary>Latencies, case by case</summary>",
            '<p class="soft">Eight bins to an octave, 32 where all latencies are close together. Both axes are of powers, so that what is rare can be seen.</p>',
            '<div class="plots">', *drawn, "</div></details>"] if drawn else []


def page(results, agreement=()):
    """The page.  Params: agreement, lines on how far repeated runs agree."""
    series = Series(results["runs"])
    groups = res.by_table(results["runs"])
    facts = (("when", results["when"]), ("kernel", results["kernel"]), ("QEMU", results["qemu"]),
             ("arguments", " ".join(map(str, results["args"])) or "none"),
             *((d, ", ".join(f"{k} {v}" for k, v in f.items())) for d, f in results.get("drivers", {}).items()),
             *(("repeated", line) for line in agreement))
    title = f"isp-bench {results['suite']}, {results['hba']}"
    out = [f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
           f'<meta name="viewport" content="width=device-width"><style>{_style()}</style></head><body><main>',
           f"<h1>{escape(title)}</h1>",
           "<dl>" + "".join(f"<dt>{escape(k)}</dt><dd>{escape(v)}</dd>" for k, v in facts) + "</dl>"]
    if series.floors:
        out.append('<p class="soft">Floors are the same requests without a card: null_blk is the block layer alone, '
                   "isp_floor the SCSI midlayer with a host that completes at once. Ratios are of the first driver to "
                   "another.</p>")
    if len(groups) > 1:
        out.append("<nav>" + "".join(f'<a href="#{escape(t)}">{escape(t)}</a>' for t in groups) + "</nav>")
    pairs = tables.of_pairs(results["runs"])
    if pairs:
        out += ["<h2>Pair by pair</h2>", _table(tables.WALL_HEAD, [[(cell, "") for cell in row] for row in pairs])]
    for table, runs in groups.items():
        out += _section(series, table, runs)
    return "\n".join(filter(None, out)) + "\n</main></body></html>\n"
