import { Hono } from 'hono';
import { html } from 'hono/html';
import type { EdgeEnv } from '../kernel/http/edge-env.ts';
import type { Mount } from '../kernel/http/mount.ts';
import { renderPage } from '../kernel/http/page/render-page.ts';
import type { ServiceName } from './server-settings.ts';

export type HomeMountOptions = {
  readonly version: string;
  readonly services: readonly ServiceName[];
  /** Commands that show what this process can do. */
  readonly tryNext: readonly string[];
};

type Offer = {
  readonly service: ServiceName;
  readonly name: string;
  readonly text: string;
  readonly links: readonly { readonly path: string; readonly text: string }[];
};

const offers: readonly Offer[] = [
  {
    service: 'swap',
    name: 'Swap quotes',
    text: 'What exchanging one token for another gives now, and the transaction to sign for it.',
    links: [
      { path: '/docs', text: 'The interface' },
      { path: '/openapi.json', text: 'OpenAPI document' },
      { path: '/v1/swap/examples', text: 'Examples' },
      { path: '/v1/chains', text: 'Chains' },
    ],
  },
  {
    service: 'authorization',
    name: 'Authorization',
    text: 'OAuth for agents and other clients: people sign in here and say what a client may do.',
    links: [
      { path: '/account', text: 'Your account' },
      { path: '/.well-known/oauth-authorization-server', text: 'Metadata of the server' },
      { path: '/.well-known/oauth-protected-resource', text: 'Metadata of what it protects' },
    ],
  },
  {
    service: 'events',
    name: 'Change notifications',
    text: 'Subscriptions to what happens in applications, told to wherever the subscriber listens.',
    links: [{ path: '/$discovery/rest?version=v1', text: 'Discovery document' }],
  },
  {
    service: 'context',
    name: 'Tools for agents',
    text: 'All of this for an MCP client: point it at /mcp of this server.',
    links: [],
  },
];

/** The page at `/`: who answers here, what it serves and what to try, for people who open the address. */
export function homeMount({ version, services, tryNext }: HomeMountOptions): Mount {
  const app = new Hono<EdgeEnv>();
  const served = offers.filter(({ service }) => services.includes(service));
  app.get('/', () =>
    renderPage({
      title: 'Home',
      isWide: true,
      footer: `Tradewind ${version}`,
      body: html`<div class="card"><h1>This is a Tradewind server</h1>
<p>It answers agents, wallets and back ends. Its health is at <a href="/health">/health</a>, its measures at <a href="/metrics">/metrics</a>.</p></div>
${served.map(renderOffer)}
<section class="card"><h2>Try</h2>
<pre tabindex="0">${tryNext.join('\n')}</pre></section>`,
    }),
  );
  return { app, paths: { '/': {} } };
}

function renderOffer({ name, text, links }: Offer) {
  return html`<section class="card"><h2>${name}</h2>
<p>${text}</p>
${links.length === 0 ? '' : html`<p>${links.map((link, index) => html`${index === 0 ? '' : ' · '}<a href="${link.path}">${link.text}</a>`)}</p>`}</section>
`;
}
