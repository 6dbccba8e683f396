// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tippe {

/// The look of an analysis page; the colours are those of viewer/src/style.css.
inline constexpr const char* kAnalysisStyle = R"CSS(
:root {
  color-scheme: light;
  --page: #f6f7f8; --surface: #ffffff; --text: #1b1f24; --text-muted: #57606a; --line: #d7dbe0; --grid: #ebedf0; --axis: #a6adb6;
  --accent: #0b63a5; --good: #00795a; --good-surface: #e6f5ef; --bad: #c2410c; --bad-surface: #fff3ec; --open: #8a5a00; --open-surface: #fdf5df;
  --bar: #0072b2; --range: #3fa2de; --full: #d55e00;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    color-scheme: dark;
    --page: #14171a; --surface: #1c2024; --text: #e6e9ec; --text-muted: #a3acb5; --line: #353b42; --grid: #2a2f35; --axis: #69727c;
    --accent: #6db7f2; --good: #2dc79c; --good-surface: #16302a; --bad: #f2935c; --bad-surface: #35241b; --open: #f0b429; --open-surface: #332b17;
    --bar: #56b4e9; --range: #3a7fb0; --full: #ff8a4c;
  }
}
*, *::before, *::after { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text);
  font: 15px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif; }
main { max-width: 960px; margin: 0 auto; padding: 24px clamp(12px, 3vw, 32px) 48px; }
h1 { margin: 0; font-size: 24px; font-weight: 600; line-height: 1.25; overflow-wrap: anywhere; }
h2 { margin: 32px 0 8px; font-size: 17px; font-weight: 600; }
h3 { margin: 0; font-size: 15px; font-weight: 600; }
p { margin: 4px 0; }
.facts, .hint { color: var(--text-muted); overflow-wrap: anywhere; }
.hint { font-size: 13px; }
.finding { display: grid; grid-template-columns: 190px 1fr; gap: 4px 16px; padding: 12px 14px; margin-top: 8px; background: var(--surface);
  border: 1px solid var(--line); border-left: 4px solid var(--axis); border-radius: 4px; }
.finding p { margin: 0; overflow-wrap: anywhere; }
.finding ul { margin: 0; padding-left: 18px; overflow-wrap: anywhere; }
.finding .answer { display: inline-block; margin-top: 2px; padding: 0 8px; border-radius: 10px; font-size: 13px; background: var(--grid); }
.good { border-left-color: var(--good); } .good .answer { color: var(--good); background: var(--good-surface); }
.bad { border-left-color: var(--bad); } .bad .answer { color: var(--bad); background: var(--bad-surface); }
.open { border-left-color: var(--open); } .open .answer { color: var(--open); background: var(--open-surface); }
.card { padding: 12px 14px; margin-top: 8px; background: var(--surface); border: 1px solid var(--line); border-radius: 4px; }
.card h3 { margin-bottom: 6px; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 3px 12px; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--grid); }
th { font-weight: 600; color: var(--text-muted); }
tr > :first-child { text-align: left; padding-left: 0; }
table.words th, table.words td { text-align: left; white-space: normal; vertical-align: top; }
table.angles td { text-align: center; border: 2px solid var(--surface); min-width: 64px; }
table.angles .none { color: var(--text-muted); }
table.evidence { width: 100%; }
table.evidence td { text-align: left; white-space: normal; overflow-wrap: anywhere; }
table.evidence td:first-child { width: 210px; color: var(--text-muted); vertical-align: top; }
svg { display: block; width: 100%; height: auto; font: 13px system-ui, sans-serif; font-variant-numeric: tabular-nums; }
svg text { fill: var(--text); }
svg .remark { fill: var(--text-muted); }
svg .tick { fill: var(--text-muted); text-anchor: middle; font-size: 12px; }
svg .grid { stroke: var(--grid); }
svg .axis { stroke: var(--axis); }
svg .bar { fill: var(--bar); }
svg .full { fill: var(--full); }
svg .track { fill: var(--grid); }
svg .range { fill: var(--range); opacity: 0.55; }
svg .arrow { fill: var(--range); }
svg .dot { fill: var(--bar); stroke: var(--surface); stroke-width: 1.5; }
svg .hollow { fill: none; stroke: var(--axis); stroke-width: 1.5; }
@media (max-width: 640px) { .finding { grid-template-columns: 1fr; } }
@media print { .finding, .card { break-inside: avoid; } }
)CSS";

}  // namespace tippe
