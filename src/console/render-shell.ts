import { html, raw } from 'hono/html';
import { type Html, wind } from '../kernel/edge/page.ts';
import { shellStyle } from './console-style.ts';

/** A page as the server sends it: everything but what its module fills in. */
export type Shell = {
  readonly path: string;
  readonly heading: string;
  /** The content of the page before its module runs, or instead of it in a browser without scripts. */
  readonly body: Html;
  /** Files that the browser loads: the module first, then what it imports. */
  readonly modules: readonly string[];
  /** The body can be read as it is, so its first paint comes before its modules. */
  readonly isReadable: boolean;
  readonly navigation: readonly { readonly path: string; readonly name: string }[];
  /** Where the files of this version are. */
  readonly assets: string;
  readonly facts: ShellFacts;
};

/** What the modules know of the server before they ask it. */
export type ShellFacts = {
  readonly version: string;
  /** The address at which people sign in; a browser may show the page under another name of the machine. */
  readonly origin: string;
  readonly services: readonly string[];
};

/** Marks the page itself in the navigation, or the list from which a page about one item is reached. */
function currentOf(listed: string, shown: string) {
  if (listed === shown) return raw(' aria-current="page"');
  return shown.startsWith(`${listed}/`) ? raw(' aria-current="true"') : '';
}

/** Waits for the first paint, then adds the modules that the page has kept in its template. */
const afterPaint = 'browser/after-paint.ts';

/**
 * The shell of a page, the same for everybody: only the browser knows who is signed in (K11). Its style is inline, and
 * its modules come last and are fetched at low priority, so that the first paint does not wait for them (K14).
 */
export async function renderShell(shell: Shell): Promise<string> {
  const { path, heading, body, navigation, assets, facts } = shell;
  const title = heading === 'Tradewind' ? heading : `${heading} · Tradewind`;
  const document = await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<meta name="tradewind" content="${JSON.stringify(facts)}">
<title>${title}</title>
<link rel="icon" type="image/svg+xml" href="${assets}icon.svg">
<style>${raw(shellStyle)}</style>
</head>
<body class="console">
<a class="skip" href="#content">Skip to the content</a>
<header class="top"><a class="brand" href="/">${wind}<span>Tradewind</span></a>
<nav aria-label="Pages">${navigation.map((one) => html`<a href="${one.path}"${currentOf(one.path, path)}>${one.name}</a>`)}</nav>
<div id="session"></div></header>
<main id="content" tabindex="-1">
<h1 id="heading">${heading}</h1>
<div id="page">${body}</div>
</main>
<footer><p>Tradewind ${facts.version} · <a href="/docs">API reference</a> · <a href="/llms.txt">llms.txt</a> · <a href="/health">health</a></p></footer>
${renderModules(shell)}
</body>
</html>
`;
  return String(document);
}

function renderModules({ modules, isReadable, assets }: Shell): Html {
  const [module, ...imported] = modules;
  const all = html`${imported.map((name) => html`<link rel="modulepreload" fetchpriority="low" href="${assets}${name}">\n`)}
<script type="module" src="${assets}${module}"></script>`;
  return isReadable
    ? html`<template id="modules">${all}</template><script type="module" src="${assets}${afterPaint}"></script>`
    : all;
}
