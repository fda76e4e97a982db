import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import { parseAccept } from 'hono/utils/accept';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { type EdgeError, edgeErrorStatus } from './edge-error.ts';
import type { EdgeRequest } from './request.ts';

/**
 * The one stylesheet of the pages. It follows the reader's choice of light or dark, and fits every width
 * down to a phone.
 */
export const pageStyle = `
:root { color-scheme: light dark; --page: #f6f8fa; --card: #fff; --text: #1f2328; --muted: #57606a;
  --line: #d0d7de; --field: #8c959f; --accent: #0b62c4; --on-accent: #fff; --warn: #7a4b00; --warn-back: #fff4d6;
  --bad: #a4161d; --bad-back: #ffebe9; --good: #116329; --good-back: #dafbe1; }
@media (prefers-color-scheme: dark) { :root { --page: #0d1117; --card: #161b22; --text: #e6edf3; --muted: #9da7b3;
  --line: #3d444d; --field: #768390; --accent: #6cb2ff; --on-accent: #06182c; --warn: #f0c674; --warn-back: #2d2410;
  --bad: #ff9d97; --bad-back: #33171a; --good: #7ee2a0; --good-back: #12261a; } }
* { box-sizing: border-box; }
body { background: var(--page); color: var(--text); font: 1rem/1.55 system-ui, sans-serif; margin: 0; overflow-wrap: break-word; }
header.top, main, footer { margin: 0 auto; max-width: 30rem; padding: 0 1rem; }
.wide header.top, .wide main, .wide footer { max-width: 54rem; }
header.top { display: flex; gap: .6rem; align-items: center; padding-top: 2rem; font-weight: 600; }
header.top svg { color: var(--accent); flex: none; }
main { padding-bottom: 1.5rem; }
footer { color: var(--muted); font-size: .875rem; padding-bottom: 2rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; margin-top: 1rem; padding: 1.25rem 1.5rem 1.5rem; }
h1 { font-size: 1.4rem; line-height: 1.25; margin: .25rem 0 .75rem; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 1.5rem 0 .5rem; } h3 { font-size: 1rem; margin: 1.25rem 0 .25rem; } .card > h2:first-child { margin-top: 0; }
h1, h2, h3, h4, b, th { font-weight: 600; } p { margin: .5rem 0; } .muted, .hint { color: var(--muted); } .hint { font-size: .875rem; margin: .25rem 0 0; }
a { color: var(--accent); } code, pre, .code { font: .875em/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
pre { background: var(--page); border: 1px solid var(--line); border-radius: .4rem; margin: .75rem 0 0; padding: .8rem; white-space: pre-wrap; }
pre:empty { display: none; }
label { display: block; font-weight: 600; margin: .9rem 0 .3rem; }
input[type=text], input[type=password], input[type=url], select, textarea { background: var(--card); border: 1px solid var(--field);
  border-radius: .4rem; color: inherit; font: inherit; padding: .55rem .7rem; width: 100%; }
input.code { font-size: 1.4rem; letter-spacing: .15em; text-align: center; text-transform: uppercase; }
button { background: var(--card); border: 1px solid var(--field); border-radius: .4rem; color: inherit; cursor: pointer;
  font: inherit; font-weight: 600; min-height: 2.75rem; padding: .5rem 1.1rem; }
button:hover { border-color: var(--accent); } button:disabled, button[aria-disabled=true] { cursor: default; opacity: .6; }
button.main { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
button.quiet { min-height: 2rem; padding: .2rem .7rem; font-size: .875rem; } button.bad { color: var(--bad); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.row { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.25rem; } .row > * { flex: 1 1 8rem; }
.stack > form { margin-top: .6rem; } .stack button { width: 100%; }
.or { align-items: center; color: var(--muted); display: flex; font-size: .875rem; gap: .75rem; margin: 1.25rem 0 .25rem; }
.or::before, .or::after { background: var(--line); content: ''; flex: 1; height: 1px; }
.note { border-left: .25rem solid; border-radius: .3rem; margin: .9rem 0; padding: .6rem .8rem; }
.note.warn { background: var(--warn-back); border-color: var(--warn); color: var(--warn); }
.note.bad { background: var(--bad-back); border-color: var(--bad); color: var(--bad); }
.note.good { background: var(--good-back); border-color: var(--good); color: var(--good); }
dl { margin: .75rem 0; } dt { color: var(--muted); font-size: .875rem; } dd { margin: 0 0 .6rem; overflow-wrap: anywhere; }
fieldset { border: 0; margin: 1rem 0 0; padding: 0; } legend { font-weight: 600; padding: 0; }
.tick { align-items: flex-start; display: flex; font-weight: 400; gap: .7rem; margin: .6rem 0; }
.tick input { accent-color: var(--accent); flex: none; height: 1.15rem; margin: .2rem 0 0; width: 1.15rem; }
.who { align-items: center; display: flex; flex-wrap: wrap; gap: .25rem .75rem; justify-content: space-between; }
.list { list-style: none; margin: 0; padding: 0; } .list time { white-space: nowrap; } .list > li { align-items: flex-start; border-top: 1px solid var(--line);
  display: flex; flex-wrap: wrap; gap: .5rem 1rem; justify-content: space-between; padding: .8rem 0; }
.list > li:first-child { border-top: 0; } .list > li > div { flex: 1 1 14rem; min-width: 0; overflow-wrap: anywhere; }
mark { background: var(--warn-back); border-radius: .2rem; color: var(--warn); padding: 0 .15rem; }
mark small { font-family: ui-monospace, monospace; }
.badge { border: 1px solid var(--line); border-radius: 1rem; color: var(--muted); font-size: .8rem; padding: .05rem .5rem; white-space: nowrap; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; min-width: 100%; }
th, td { border-bottom: 1px solid var(--line); padding: .35rem .8rem .35rem 0; text-align: left; vertical-align: top; }
summary { cursor: pointer; font-weight: 600; }
.skip, .unseen { left: -99rem; position: absolute; } .skip:focus { position: static; }
[hidden] { display: none; }
`;

/** The hash by which the content policy allows the stylesheet. */
const pageStyleHash = `sha256-${createHash('sha256').update(pageStyle).digest('base64')}`;

/** A piece of a page, escaped already. */
export type Html = ReturnType<typeof html>;

export type Page = {
  readonly title: string;
  /** Everything below the top bar; it has its own heading. */
  readonly body: Html;
  readonly status?: ContentfulStatusCode;
  /** Room for tables and lists. */
  readonly isWide?: boolean;
  /** The one script a page may load, from this server; without it the page may run none. */
  readonly script?: string;
  /** Below everything else. Default: a warning for people who sign in. */
  readonly footer?: string;
};

const signInFooter =
  'This page belongs to the server you are signing in to. It never asks for a seed phrase.';

/**
 * A whole page as a `Response`, with the headers that every page has (R1): it is not stored, not
 * framed, sends no referrer to other sites, and runs no script but the named one.
 *
 * `form-action` leaves HTTP and HTTPS open: browsers apply it to the redirects that follow a form
 * too, and after consent those lead to the client and on to wherever it sends the person.
 */
export async function renderPage(page: Page): Promise<Response> {
  const { title, body, status = 200, isWide = false, script, footer = signInFooter } = page;
  const document = await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Tradewind</title>
<style>${raw(pageStyle)}</style>
${script === undefined ? '' : html`<script src="${script}" defer></script>`}
</head>
<body${isWide ? raw(' class="wide"') : ''}>
<a class="skip" href="#content">Skip to the content</a>
<header class="top">${wind}<span>Tradewind</span></header>
<main id="content">
${body}
</main>
<footer><p>${footer}</p></footer>
</body>
</html>
`;
  return new Response(String(document), {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': contentPolicy(script !== undefined),
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-store',
    },
  });
}

function contentPolicy(hasScript: boolean): string {
  return [
    "default-src 'none'",
    `style-src '${pageStyleHash}'`,
    ...(hasScript ? ["script-src 'self'", "connect-src 'self'"] : []),
    "form-action 'self' https: http:",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The logo: three lines of wind. */
export const wind = html`<svg width="26" height="26" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" aria-hidden="true"><path d="M3 9h11a3 3 0 1 0-3-3M3 13h15a3 3 0 1 1-3 3M3 17h7a2.5 2.5 0 1 1-2.5 2.5"/></svg>`;

/** Tells a person that an address or method is not served, and links to the start page. */
export function mistypedPage({ code, message }: EdgeError): Promise<Response> {
  const title = code === 'NOT_FOUND' ? 'There is nothing here' : 'This is not a page';
  return renderPage({
    title,
    status: edgeErrorStatus[code],
    footer: 'Programs that do not ask for HTML get the same answer in JSON.',
    body: html`<section class="card">
<h1>${title}</h1>
<p>${message}</p>
<p><a href="/">To the start page of this server</a></p>
</section>`,
  });
}

const kinds = ['text/html', 'application/json'];

/** Whether a browser will show the answer to a person: it names HTML and prefers it to JSON. */
export function prefersPage({ header }: Pick<EdgeRequest, 'header'>): boolean {
  const dearest = parseAccept(header('accept') ?? '').find(
    ({ type, q }) => q > 0 && kinds.includes(type.toLowerCase()),
  );
  return dearest?.type.toLowerCase() === 'text/html';
}
