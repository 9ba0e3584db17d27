export const STYLE = `
:root {
  --ground: oklch(0.985 0.003 110); --raised: white; --line: oklch(0.9 0.004 110); --edge: oklch(0.62 0.006 110);
  --ink: oklch(0.22 0.01 250); --ink-soft: oklch(0.46 0.012 250);
  --signal: oklch(0.88 0.2 118); --on-signal: oklch(0.22 0.01 250);
  --good: oklch(0.48 0.13 150); --warn: oklch(0.48 0.11 70); --bad: oklch(0.48 0.18 27);
  font: 16px/1.45 system-ui, sans-serif; color: var(--ink); background: var(--ground);
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: oklch(0.17 0.006 250); --raised: oklch(0.215 0.007 250); --line: oklch(0.3 0.008 250); --edge: oklch(0.55 0.008 250);
    --ink: oklch(0.96 0.003 110); --ink-soft: oklch(0.74 0.008 250); --on-signal: oklch(0.17 0.006 250);
    --good: oklch(0.8 0.15 150); --warn: oklch(0.8 0.13 75); --bad: oklch(0.76 0.14 25);
  }
}
* { box-sizing: border-box; }
body { margin: 0; padding: 16px 16px 96px; max-width: 1360px; margin-inline: auto; }
h1, h2, p { margin: 0; }
h1 { font-size: 1.75rem; line-height: 1.15; letter-spacing: -0.01em; }
h2 { font-size: 1.05rem; margin-bottom: 12px; }
header { display: grid; gap: 4px; margin-bottom: 20px; }
.mark { justify-self: start; font-size: 0.75rem; font-weight: 700; letter-spacing: 0.1em; text-transform: uppercase; border: 2px dashed var(--ink); border-radius: 6px; padding: 2px 8px; margin-bottom: 4px; }
.soft, .hint, .count, .empty { color: var(--ink-soft); }
.hint { font-size: 0.8125rem; }
.count { font-weight: 400; font-variant-numeric: tabular-nums; }
.pulse { display: flex; align-items: center; gap: 8px; margin-top: 8px; font-variant-numeric: tabular-nums; font-size: 0.9rem; }
.pulse::before { content: ""; width: 10px; height: 10px; border-radius: 50%; border: 2px solid var(--ink-soft); flex: none; }
.pulse.live::before { background: var(--signal); border-color: var(--ink); }
.pulse.lost { color: var(--bad); }
main, .column { display: grid; gap: 16px; align-content: start; min-width: 0; }
.card { background: var(--raised); border: 1px solid var(--line); border-radius: 14px; padding: 16px; min-width: 0; }
form { display: grid; gap: 12px; }
form + .rows { margin-top: 16px; }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 12px; align-items: end; }
label { display: grid; gap: 4px; font-size: 0.875rem; min-width: 0; }
label.check { display: flex; align-items: center; gap: 12px; min-height: 44px; font-size: 1rem; }
label.check input { width: 22px; height: 22px; min-height: 0; accent-color: var(--ink); }
input, select, button { font: inherit; color: inherit; min-height: 44px; border-radius: 10px; border: 1px solid var(--edge); background: var(--ground); padding: 0 12px; width: 100%; min-width: 0; font-variant-numeric: tabular-nums; }
button { font-weight: 600; cursor: pointer; background: var(--raised); }
button.primary { background: var(--signal); color: var(--on-signal); border-color: transparent; }
button.danger { color: var(--bad); border-color: currentColor; }
button:hover { border-color: var(--ink); }
section > button { margin-top: 12px; }
:focus-visible { outline: 3px solid var(--ink); outline-offset: 2px; }
.rows { list-style: none; margin: 0; padding: 0; max-height: 480px; overflow-y: auto; }
.rows li { border-top: 1px solid var(--line); padding: 12px 0; display: grid; gap: 4px; }
.rows li:first-child { border-top: 0; padding-top: 0; }
.rows li:last-child { padding-bottom: 0; }
.line { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 4px 12px; font-variant-numeric: tabular-nums; }
.line b { font-weight: 600; overflow-wrap: anywhere; }
.rows .soft { font-size: 0.875rem; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.acts { display: flex; flex-wrap: wrap; gap: 8px; margin-top: 4px; }
.acts button { width: auto; flex: 1 1 auto; font-size: 0.875rem; }
.code { font-size: 1.25rem; font-weight: 700; letter-spacing: 0.08em; }
.good { color: var(--good); } .warn { color: var(--warn); } .bad { color: var(--bad); }
.said { position: fixed; inset: auto 16px 16px; margin: 0 auto; max-width: 480px; background: var(--ink); color: var(--ground); border-radius: 10px; padding: 12px 16px; transition: opacity 160ms; }
.said:empty { opacity: 0; pointer-events: none; }
@media (min-width: 760px) { body { padding-inline: 24px; } main { grid-template-columns: 1fr 1fr; } .column:last-child { grid-column: 1 / -1; grid-template-columns: 1fr 1fr; } }
@media (min-width: 1100px) { #offers { max-height: 640px; } #payments { max-height: 960px; } main { grid-template-columns: repeat(3, minmax(0, 1fr)); } .column:last-child { grid-column: auto; grid-template-columns: minmax(0, 1fr); } }
@media (prefers-reduced-motion: reduce) { * { transition: none !important; } }
`;
