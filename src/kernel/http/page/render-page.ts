import { html, raw } from 'hono/html';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { pageStyle, pageStyleHash } from './page-style.ts';

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
