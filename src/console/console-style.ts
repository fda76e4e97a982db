/** What the pages of the console add to the stylesheet of all pages. */
export const consoleStyle = `
.console header.top, .console main, .console footer { max-width: 72rem; }
.console header.top { align-items: center; border-bottom: 1px solid var(--line); display: flex; flex-wrap: wrap;
  font-weight: 500; gap: .25rem 1.25rem; max-width: none; padding: .6rem max(1rem, calc((100% - 70rem) / 2)); background: var(--card); }
.console .brand { align-items: center; color: var(--text); display: flex; font-weight: 700; gap: .5rem; min-height: 2.75rem; text-decoration: none; }
.console nav { display: flex; flex: 1 1 20rem; gap: .1rem; min-width: 0; order: 3; overflow-x: auto; scrollbar-width: thin; }
.console header nav a { border-radius: .4rem; color: var(--muted); padding: .55rem .65rem; text-decoration: none; white-space: nowrap; }
.console header nav a:hover { color: var(--text); background: var(--page); }
.console header nav a[aria-current] { color: var(--text); font-weight: 650; box-shadow: inset 0 -2px var(--accent); border-radius: 0; }
#session { align-items: center; display: flex; gap: .6rem; margin-left: auto; min-height: 2.75rem; order: 2; }
#session button { min-height: 2.25rem; padding: .25rem .8rem; }
@media (min-width: 62rem) { .console nav { order: 2; } #session { order: 3; } }
.console main { padding-top: 1.25rem; outline: none; }
.console h1 { font-size: 1.6rem; margin: 0 0 .25rem; } .console .lead { color: var(--muted); margin: 0 0 1rem; max-width: 44rem; }
.console footer { padding-top: 1rem; }
.columns { display: grid; gap: 1rem; grid-template-columns: minmax(0, 1fr); align-items: start; }
@media (min-width: 60rem) { .columns.two { grid-template-columns: 22rem minmax(0, 1fr); } .columns.even { grid-template-columns: repeat(2, minmax(0, 1fr)); } }
.console .card { margin-top: 0; } .columns > *, .stack-cards > * { min-width: 0; } .stack-cards { display: grid; gap: 1rem; }
.console .card h2 { font-size: 1.05rem; margin: 0 0 .6rem; } .console .card h3 { font-size: .95rem; margin: 1rem 0 .3rem; }
.console input, .console select, .console textarea { max-width: 100%; min-height: 2.75rem; }
.console input[type=search], .console input[type=number], .console input[type=datetime-local] { background: var(--card); border: 1px solid var(--field);
  border-radius: .4rem; color: inherit; font: inherit; padding: .55rem .7rem; width: 100%; }
.console textarea { min-height: 8rem; font: .85rem/1.5 ui-monospace, monospace; resize: vertical; }
.console [aria-invalid=true] { border-color: var(--bad); box-shadow: 0 0 0 1px var(--bad); }
.console .problem { color: var(--bad); font-size: .875rem; margin: .25rem 0 0; }
.pair { display: grid; gap: .75rem; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); } .pair label { margin-top: 0; }
.console button.main { width: auto; } form.tall > button.main { margin-top: 1.1rem; width: 100%; }
.big { font-size: 1.7rem; font-weight: 700; font-variant-numeric: tabular-nums; letter-spacing: -.01em; line-height: 1.2; margin: 0; overflow-wrap: anywhere; }
.figures { display: grid; gap: .75rem 1.5rem; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); margin: 1rem 0 0; }
.figures dd { font-variant-numeric: tabular-nums; font-weight: 600; margin: 0; }
.proof { border-top: 1px solid var(--line); margin: 1rem 0 0; padding-top: .9rem; }
.console table { font-size: .9rem; } .console th { color: var(--muted); font-weight: 600; font-size: .8rem; white-space: nowrap; }
.console tbody th { color: var(--text); font-size: .9rem; white-space: normal; } .console td.number, .console th.number { text-align: right; font-variant-numeric: tabular-nums; }
.console td select { min-width: 7.5rem; width: auto; } .console td.acts, .console td.moment { white-space: nowrap; } .console td.acts button { margin-right: .4rem; }
.console td, .console th { padding: .45rem .9rem .45rem 0; } .console tr:last-child > * { border-bottom: 0; }
.badge.good { background: var(--good-back); border-color: transparent; color: var(--good); } .badge.bad { background: var(--bad-back); border-color: transparent; color: var(--bad); }
.badge.warn { background: var(--warn-back); border-color: transparent; color: var(--warn); }
.waiting { align-items: center; color: var(--muted); display: flex; gap: .6rem; margin: .5rem 0; }
.waiting::before { animation: turn 1s linear infinite; border: 2px solid var(--line); border-radius: 50%; border-top-color: var(--accent); content: ''; flex: none; height: 1rem; width: 1rem; }
@keyframes turn { to { transform: rotate(1turn); } } @media (prefers-reduced-motion: reduce) { .waiting::before { animation: none; } }
.empty { border: 1px dashed var(--line); border-radius: .75rem; color: var(--muted); padding: 1.5rem; text-align: center; }
.bar { align-items: center; display: flex; flex-wrap: wrap; gap: .6rem; justify-content: space-between; margin-bottom: .6rem; } .bar h2 { margin: 0; }
.copy { position: relative; } .copy > button { position: absolute; right: .45rem; top: .45rem; } .copy > pre { margin-top: 0; max-height: 16rem; overflow: auto; padding-right: 5.5rem; }
.chart { display: block; height: auto; width: 100%; overflow: visible; } .chart text { fill: var(--muted); font: 11px system-ui, sans-serif; }
.chart .axis { stroke: var(--line); } .chart .line { fill: none; stroke: var(--accent); stroke-width: 2; stroke-linejoin: round; } .chart .area { fill: var(--accent); opacity: .12; }
.chart .dot { fill: var(--accent); stroke: var(--card); stroke-width: 2; } .chart .flow { fill: var(--accent); opacity: .28; } .chart .flow:hover { opacity: .5; } .chart .node { fill: var(--accent); }
.chart .label { fill: var(--text); font-size: 12px; font-weight: 600; } .chart .plate { fill: var(--card); opacity: .82; }
dialog { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; color: inherit; max-width: 30rem; padding: 1.25rem 1.5rem; width: calc(100% - 2rem); }
dialog::backdrop { background: #0008; } dialog h2 { margin: 0 0 .5rem; } .console dialog .row { margin-top: 1rem; }
.tools { align-items: end; display: flex; flex-wrap: wrap; gap: .5rem; } .console .long { min-width: 9rem; overflow-wrap: anywhere; }
.console .figures + .tools { margin-top: 1rem; } .beside { left: 0; max-width: min(100%, calc(100vw - 6rem)); position: sticky; }
.links { list-style: none; margin: 0; padding: 0; display: grid; gap: .5rem; }
section.operation, section[aria-labelledby=schemas] { scroll-margin-top: 1rem; } .contents { max-height: 24rem; overflow-y: auto; }
.contents h2:first-child { margin-top: 0; } .console .contents h2 { margin-top: 1rem; } .contents ul { margin: .3rem 0; padding-left: 1.1rem; } .contents code { color: var(--muted); display: block; font-size: .75rem; }
@media (min-width: 60rem) { .contents { max-height: calc(100vh - 2rem); position: sticky; top: 1rem; } }
.console td p, .console th code { overflow-wrap: anywhere; }
details.card > summary { margin: -.25rem 0; } details.card[open] > summary { margin-bottom: .75rem; }
`;
