import { createHash } from 'node:crypto';
import { pageStyle } from '../kernel/edge/page.ts';

/** What the pages of the console add to the stylesheet of all pages. */
const consoleStyle = `
.console header.top, .console main, .console footer { max-width: 72rem; }
.console header.top { align-items: center; border-bottom: 1px solid var(--line); display: flex; flex-wrap: wrap;
  font-weight: 400; gap: .25rem 1.25rem; max-width: none; padding: .6rem max(1rem, calc((100% - 70rem) / 2)); background: var(--card); }
.console .brand { align-items: center; color: var(--text); display: flex; font-weight: 600; gap: .5rem; min-height: 2.75rem; text-decoration: none; }
.console header nav { display: flex; flex: 1 1 20rem; gap: .1rem; min-width: 0; order: 3; overflow-x: auto; position: relative; scrollbar-width: none; }
.console header nav a { border-radius: .4rem; color: var(--muted); padding: .55rem .65rem; text-decoration: none; white-space: nowrap; }
.console header nav a:hover { color: var(--text); background: var(--page); }
.console header nav a[aria-current] { color: var(--text); font-weight: 600; box-shadow: inset 0 -2px var(--accent); border-radius: 0; }
#session { align-items: center; display: flex; gap: .6rem; margin-left: auto; min-height: 2.75rem; order: 2; }
#session button { min-height: 2.25rem; padding: .25rem .8rem; }
.console button, .console summary { font-weight: 500; } .console button.main, .console details.card > summary, .console .rows > details > summary { font-weight: 600; } .console label { font-size: .875rem; } .console .pick { font-size: inherit; }
@media (max-width: 61.99rem) { .console header nav { flex-basis: 100%; mask-image: linear-gradient(to right, #000 calc(100% - 2rem), #0003); } }
@media (min-width: 62rem) { .console header nav { order: 2; } #session { order: 3; } }
.console main { padding-top: 1.25rem; } .console main, .result { outline: none; }
.console h1 { font-size: 1.6rem; margin: 0 0 .25rem; } .console h1.thing { font: 600 1.1rem/1.5 ui-monospace, monospace; } .console .lead { color: var(--muted); margin: 0 0 1rem; max-width: 60rem; }
.console footer { padding-top: 1rem; }
.columns { display: grid; gap: 1rem; grid-template-columns: minmax(0, 1fr); align-items: start; } 
@media (min-width: 60rem) { .columns.two > form.card { position: sticky; top: 1rem; } .columns.two { grid-template-columns: 22rem minmax(0, 1fr); } .columns.even { grid-template-columns: repeat(2, minmax(0, 1fr)); } }
.console .card { margin-top: 0; } .console .card > :last-child:not(summary), .console .card > form:last-child > p:last-child { margin-bottom: 0; } .console .card > p:empty { display: none; }
.console .card.line { align-items: center; display: flex; flex-wrap: wrap; gap: .25rem .75rem; padding-block: .9rem; } .console .card.line h2 { margin: 0; } .card.line > * { margin-block: 0; }
 .columns > *, .stack-cards > * { min-width: 0; } .stack-cards { display: grid; gap: 1rem; }
.console .card h2 { font-size: 1.1rem; margin: 0 0 .6rem; } .console .card h3 { font-size: 1rem; margin: 1rem 0 .3rem; }
.console input, .console select, .console textarea { max-width: 100%; min-height: 2.75rem; }
.console input[type=search], .console input[type=number], .console input[type=datetime-local] { background: var(--card); border: 1px solid var(--field);
  border-radius: .4rem; color: inherit; font: inherit; padding: .55rem .7rem; width: 100%; }
.console textarea { min-height: 7rem; font: .8rem/1.6 ui-monospace, monospace; resize: vertical; }
.console [aria-invalid=true] { border-color: var(--bad); box-shadow: 0 0 0 1px var(--bad); }
.console .problem { color: var(--bad); font-size: .875rem; margin: .25rem 0 0; }
.pair { display: grid; gap: .75rem; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); } .pair label { margin-top: 0; } @media (max-width: 29.99rem) { .pair { grid-template-columns: minmax(0, 1fr); } }
.console button.main { width: auto; } form.tall > .field:first-child > label { margin-top: 0; } form.tall > button.main { margin-top: 1.1rem; width: 100%; }
.big { font-size: 1.7rem; font-weight: 600; font-variant-numeric: tabular-nums; letter-spacing: -.01em; line-height: 1.2; margin: 0; overflow-wrap: anywhere; }
.figures { display: grid; gap: .75rem 1.25rem; grid-template-columns: repeat(auto-fill, minmax(8.5rem, 1fr)); margin: 1rem 0 0; } .figures.wide { grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); }
.figures .hint { font-weight: 400; } .figures:not(.receipt) > :has(.hint) { grid-column: span 2; } .figures dd { font-size: .875rem; font-variant-numeric: tabular-nums; font-weight: 600; margin: 0; }
@media (min-width: 48rem) { .receipt { grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); } }
@media (max-width: 47.99rem) { .receipt { gap: .4rem; grid-template-columns: minmax(0, 1fr); } .receipt > div { display: flex; gap: 1rem; justify-content: space-between; } .receipt dd { text-align: right; } }
.proof { border-top: 1px solid var(--line); margin: 1rem 0 0; padding-top: .9rem; }
.console table { font-size: .875rem; } .console th { color: var(--muted); font-weight: 600; font-size: .8rem; white-space: nowrap; }
.console tbody th { color: var(--text); font-size: .875rem; white-space: normal; } .console tbody th.moment { font-weight: 400; white-space: nowrap; } .console td.number, .console th.number { text-align: right; font-variant-numeric: tabular-nums; }
.console td select { min-height: 2.25rem; min-width: 7.5rem; padding-block: .25rem; width: auto; } .console .acts, .console .moment { white-space: nowrap; } .console td.mono { font: .8rem/1.7 ui-monospace, monospace; } td.mono code { font-size: inherit; } .console .acts { padding-right: 0; text-align: right; } .console td.acts button + button { margin-left: .4rem; }
.console td, .console th { padding: .5rem 1.25rem .5rem 0; vertical-align: baseline; } .console tbody tr:last-child > * { padding-bottom: 0; } .console tbody tr:last-child > *, .console tr:has(+ .below) > * { border-bottom: 0; } .console .below > td { padding-right: 0; }
.badge.good { background: var(--good-back); border-color: transparent; color: var(--good); } .badge.bad { background: var(--bad-back); border-color: transparent; color: var(--bad); }
.badge.warn { background: var(--warn-back); border-color: transparent; color: var(--warn); }
.waiting { align-items: center; color: var(--muted); display: flex; gap: .6rem; margin: .5rem 0; }
.waiting::before { animation: turn 1s linear infinite; border: 2px solid var(--line); border-radius: 50%; border-top-color: var(--accent); content: ''; flex: none; height: 1rem; width: 1rem; }
@keyframes turn { to { transform: rotate(1turn); } } @media (prefers-reduced-motion: reduce) { .waiting::before { animation: none; } }
#page > .empty { margin-top: 1rem; } .hint:not(:empty) + .list { margin-top: .6rem; } .empty { border: 1px dashed var(--line); border-radius: .75rem; color: var(--muted); padding: 1.5rem; text-align: center; }
.bar:has(> .badge) { flex-wrap: nowrap; } .bar { align-items: center; display: flex; flex-wrap: wrap; gap: .6rem; justify-content: space-between; margin-bottom: .6rem; } .console .card .bar h2 { margin: 0; } .aside { color: var(--muted); font-size: .875rem; font-weight: 400; }
.grant { align-items: center; display: flex; flex-wrap: wrap; gap: .25rem 1rem; justify-content: space-between; } .grant .hint { flex: 1 1 16rem; } .grant + .grant { margin-top: .4rem; } .list .bar { margin: 0; } .list .bar + .grant { margin-top: .5rem; } .bar > .tools { align-items: center; }
.tiles { display: grid; gap: 0 2rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 18rem), 1fr)); list-style: none; margin: 0; padding: 0; } .tiles .badge.good { background: none; padding-inline: 0; } .tiles .badge.good::before { background: currentColor; border-radius: 50%; content: ''; display: inline-block; height: .45rem; margin-right: .4rem; width: .45rem; } .tiles li { align-items: baseline; border-bottom: 1px solid var(--line); display: flex; font-size: .875rem; gap: .75rem; justify-content: space-between; padding: .4rem 0; }
.steps { display: grid; gap: .75rem 2.25rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 13rem), 1fr)); margin: 0; padding-left: 1.2rem; } .steps .hint { margin-top: .15rem; }
.pick { align-items: baseline; display: flex; font-weight: 600; gap: .6rem; margin: 0; } .console .pick input { flex: none; min-height: 0; }
.console .scroll { margin-inline: -4px; padding-inline: 4px; } #search, .find { margin-bottom: 1rem; } .find label { margin-top: 0; }
.copy { position: relative; } .copy > button { background: var(--card); position: absolute; right: .45rem; top: .45rem; } .copy > .hint:empty { display: none; } .copy > pre { margin-top: 0; max-height: 16rem; overflow: auto; padding-right: 5.5rem; } .copy { margin-block: .6rem; } .card > :last-child > .copy { margin-bottom: 0; }
.word { display: inline-block; max-width: 100%; } .console .copy-name { background: none; font-family: system-ui, sans-serif; border-color: transparent; color: var(--muted); font-size: .8rem; min-height: 1.6rem; padding: 0 .4rem; } .console .copy-name:hover { border-color: var(--line); color: var(--text); }
.chart { display: block; height: auto; width: 100%; overflow: visible; } .chart text { fill: var(--muted); font: 11px system-ui, sans-serif; }
.chart .axis { stroke: var(--line); } .chart .line { fill: none; stroke: var(--accent); stroke-width: 2; stroke-linejoin: round; } .chart .area { fill: var(--accent); opacity: .12; }
.chart .dot { fill: var(--accent); stroke: var(--card); stroke-width: 2; } .chart .flow { fill: var(--accent); opacity: .28; } .chart .flow:hover { opacity: .5; } .chart .node { fill: var(--accent); }
.chart .label { fill: var(--text); font-size: 12px; font-weight: 600; } .chart .plate { fill: var(--card); opacity: .82; }
#page .note:not(.good, .bad, .warn) { background: var(--page); border-color: var(--accent); }
dialog { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; color: inherit; max-width: 30rem; padding: 1.25rem 1.5rem; width: calc(100% - 2rem); }
dialog::backdrop { background: #0008; } dialog h2 { margin: 0 0 .5rem; } .console dialog .row { margin-top: 1rem; }
.tools .field label { margin-top: 0; } .tools .apart { display: flex; flex-wrap: wrap; gap: .5rem; } @media (min-width: 60rem) { .tools .apart { margin-left: auto; } } .tools { align-items: end; display: flex; flex-wrap: wrap; gap: .5rem; } .choices { border: 1px solid var(--line); border-radius: .4rem; display: grid; gap: .3rem 1rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 22rem), 1fr)); margin-top: .5rem; max-height: 11rem; overflow-y: auto; padding: .6rem .7rem; } .console .field + .pair, .console .hint + .pair, .console .choices + .pair { margin-top: .9rem; } .choices .pick { font-size: .875rem; font-weight: 400; }
.console .figures + .tools { margin-top: 1rem; } .receivers { align-items: baseline; margin-bottom: 1rem; } button[aria-pressed=true] { border-color: var(--accent); color: var(--accent); } .console input, .console select { text-overflow: ellipsis; } @media (max-width: 29.99rem) { .tools .apart button { padding-inline: .65rem; } }
.console .pair + .scroll, .console .tools + .scroll, .console .scroll + .tools { margin-top: .75rem; }
.links { list-style: none; margin: 0; padding: 0; display: grid; gap: .5rem; }
.refusals { display: grid; gap: .3rem 1rem; grid-template-columns: auto minmax(0, 1fr); } .refusals dt { font-weight: 600; } .refusals dd { margin: 0; }
.groups { display: flex; flex-wrap: wrap; gap: .1rem 1.25rem; margin-bottom: 1rem; } .groups a { padding: .35rem 0; text-decoration: none; } .groups a:hover { text-decoration: underline; }
.rows > h2, .rows h3 { scroll-margin-top: 1rem; } .console .rows > h2 { margin: .75rem 0 .1rem; } .console .rows > .hint { margin-bottom: .6rem; } .console .rows h4 { font-size: .875rem; margin: 1rem 0 .3rem; }
.console .rows summary > h3 { display: inline-grid; font-size: 1rem; gap: 0 1rem; grid-template-columns: minmax(0, 1fr); margin: 0; vertical-align: top; width: calc(100% - 1.25rem); } .rows summary code { color: var(--muted); font-size: .8rem; font-weight: 400; line-height: 1.9; }
@media (min-width: 60rem) { .console .rows .operation > summary > h3 { grid-template-columns: minmax(0, 1fr) 30rem; } }
.console td p, .console th code { overflow-wrap: anywhere; } .console table .hint { font-weight: 400; margin-top: .1rem; } .scroll + details { margin-top: .9rem; }
 .list > li:first-child { padding-top: .2rem; } .list > li:last-child { padding-bottom: 0; } .console .card > form, .console .part { border-top: 1px solid var(--line); margin-top: 1.25rem; padding-top: .25rem; } .console details.card > form { border: 0; margin: 0; padding: 0; } .inviting { align-items: start; display: grid; gap: 0 .75rem; grid-template-columns: minmax(0, 1fr); } @media (min-width: 48rem) { .inviting { grid-template-columns: minmax(0, 1fr) 12rem auto; } .inviting > button { margin-top: 2rem; } .console .inviting label { margin-top: .3rem; } } @media (max-width: 47.99rem) { .inviting > button { justify-self: start; margin-top: 1rem; } }
/* What makes something is a button while it is closed, and a card with its form when it is open. */
details.card.make:not([open]) { background: none; border: 0; padding: 0; } details.make > summary { list-style: none; } details.make > summary::-webkit-details-marker { display: none; } .console details.make > summary::before { content: '+'; display: inline-block; font-weight: 600; margin-right: .5rem; } details.make[open] > summary::before { content: '−'; }
.console details.make:not([open]) > summary { background: var(--accent); border-radius: .4rem; color: var(--on-accent); display: inline-flex; align-items: center; margin: 0; min-height: 2.75rem; padding: .5rem 1.1rem; }
.rows { padding-block: .4rem; } .console .rows > details { border-top: 1px solid var(--line); padding: .7rem 0; } .console .rows > details:first-child { border-top: 0; } .rows > details[open] { padding-bottom: 1.25rem; } .find .field { max-width: 26rem; }
.words { column-gap: .75rem; display: grid; font-size: .875rem; grid-template-columns: minmax(4rem, auto) minmax(0, 1fr); list-style: none; margin: .5rem 0; padding: 0; } .words li { display: grid; grid-column: 1 / -1; grid-template-columns: subgrid; padding: .15rem 0; } .words b { font-variant-numeric: tabular-nums; text-align: right; white-space: nowrap; }
.method { color: var(--muted); font: 600 .8rem/1.4 ui-monospace, monospace; } .names > div + div { margin-top: .15rem; } .console .names + details { margin-top: .5rem; }
details.card > summary { margin: -.1rem 0; } details.card:not(.make):not([open]) { padding-bottom: 1.25rem; } details.card[open] > summary { margin-bottom: .75rem; }
.offers { display: grid; gap: .25rem 1.5rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 16rem), 1fr)); } .console .offers h3 { margin-top: .6rem; }
.console p.hint + details { margin-top: .5rem; }
@media (min-width: 62rem) { .console tbody .whole { white-space: nowrap; } .console td.whole wbr { display: none; } }
@media (min-width: 60rem) { .console .stacks .number + td, .console .stacks .number + th { padding-left: .75rem; } .stacks td[data-label=Value] { min-width: 11rem; } .stacks td[data-label=State] .hint { max-width: 14rem; } .stacks td.mono, .stacks td.mono code, .stacks tbody th code, .stacks td.number { white-space: nowrap; } }
@media (max-width: 59.99rem) {
  .stacks, .stacks tbody, .stacks tr, .stacks td, .stacks tbody th { display: block; } .stacks thead { clip-path: inset(50%); height: 1px; overflow: hidden; position: absolute; width: 1px; }
  .stacks tr { border-bottom: 1px solid var(--line); padding: .6rem 0; } .stacks tr:first-child { padding-top: 0; } .stacks tr:last-child { border-bottom: 0; padding-bottom: 0; }
  .console .stacks td, .console .stacks tbody th { border: 0; padding: .15rem 0; text-align: left; overflow-wrap: anywhere; }
  .stacks td[data-label] { display: grid; gap: .75rem; grid-template-columns: 6rem minmax(0, 1fr); } .stacks td[data-label]::before { color: var(--muted); content: attr(data-label); font: .8rem/1.75 system-ui, sans-serif; }
  .stacks tr:has(> td:nth-child(2):last-child) { display: flex; gap: .75rem; justify-content: space-between; } tr:has(> td:nth-child(2):last-child) > td[data-label]::before { content: none; } tr:has(> td:nth-child(2):last-child) > td[data-label] { display: block; }
  .console .stacks tbody tr:last-child > * { padding-bottom: .15rem; } .console .stacks td.acts { padding-top: .4rem; } .stacks tr.below { border-top: 0; padding-top: 0; } .stacks tr:has(+ .below) { border-bottom: 0; padding-bottom: 0; }
  /* A single button stands beside the heading of its block. */
  .stacks tr { position: relative; } .stacks tr:has(> td.acts button:only-of-type) > th { min-height: 2rem; padding: .3rem 6rem 0 0; } .console .stacks td.acts:has(button:only-of-type) { padding: 0; position: absolute; right: 0; top: .6rem; } .stacks tr:first-child > td.acts:has(button:only-of-type) { top: 0; }
  details > summary .aside { display: block; }
}
.sight { scroll-margin: 1rem; } .console ::placeholder { color: var(--muted); opacity: 1; }
/* The form of an operation is opened by what looks like the button that it is. */
.console details[data-operation] { margin: .9rem 0; } .console details[data-operation] > summary { align-items: center; border: 1px solid var(--accent); border-radius: .4rem; color: var(--accent); display: inline-flex; list-style: none; margin: 0 0 .75rem; min-height: 2.5rem; padding: .3rem 1rem; }
details[data-operation] > summary::-webkit-details-marker { display: none; }
@media (min-width: 60rem) { [data-operation] form.tall { align-items: start; display: grid; gap: 0 1.5rem; grid-template-columns: repeat(2, minmax(0, 1fr)); } [data-operation] form.tall > :not(.field) { grid-column: 1 / -1; } [data-operation] form.tall > button.main { justify-self: start; min-width: 12rem; width: auto; } [data-operation] form.tall > .field:nth-child(2) > label { margin-top: 0; } }
`;

/** The style of a page of the console. It is inline, so that the first paint waits for no request. */
export const shellStyle = pageStyle + consoleStyle;

const styleHash = createHash('sha256').update(shellStyle).digest('base64');

/** Allows scripts, images and calls of this server alone, and the one inline style of the shell; no frames (K14). */
export const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'sha256-${styleHash}'`,
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');
