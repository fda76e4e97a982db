import { html } from 'hono/html';
import type { Html } from '../kernel/edge/page.ts';

type Offer = {
  readonly service: string;
  readonly name: string;
  readonly text: string;
  readonly links: readonly { readonly path: string; readonly text: string }[];
};

const offers: readonly Offer[] = [
  {
    service: 'swap',
    name: 'Swap quotes',
    text: 'What exchanging one token for another gives now, with a proof of how good the route is and the transaction to sign.',
    links: [
      { path: '/console/quote', text: 'Quote' },
      { path: '/console/chains', text: 'Chains' },
      { path: '/v1/swap/examples', text: 'Examples' },
    ],
  },
  {
    service: 'authorization',
    name: 'Authorization',
    text: 'OAuth 2.1 for agents and other clients: people sign in here and say what a client may do.',
    links: [
      { path: '/console/access', text: 'Access' },
      { path: '/account', text: 'Your account' },
      { path: '/.well-known/oauth-authorization-server', text: 'Metadata' },
    ],
  },
  {
    service: 'events',
    name: 'Change notifications',
    text: 'Subscriptions to events of applications, delivered to the endpoint of the subscriber.',
    links: [
      { path: '/console/subscriptions', text: 'Subscriptions' },
      { path: '/console/events', text: 'Events' },
      { path: '/console/applications', text: 'Applications' },
      { path: '/$discovery/rest?version=v1', text: 'Discovery document' },
    ],
  },
  {
    service: 'context',
    name: 'Tools for agents',
    text: 'All of this for an MCP client: point it at /mcp of this server.',
    links: [{ path: '#agents', text: 'Add to my agent' }],
  },
];

type Step = {
  readonly service: string;
  readonly path: string;
  readonly text: string;
  readonly hint: string;
};

/** What a newcomer tries first, each with its result. */
const steps: readonly Step[] = [
  {
    service: 'swap',
    path: '/console/quote',
    text: 'Get a quote and execute it',
    hint: 'On the development chain a test account signs, and you see what was received against what was quoted.',
  },
  {
    service: 'events',
    path: '/console/subscriptions',
    text: 'Make a subscription',
    hint: 'A receiver of this server takes its events, so nothing else has to run.',
  },
  {
    service: 'events',
    path: '/console/events',
    text: 'Publish an event',
    hint: 'The form is filled with a sample; its delivery appears at the subscription as it happens.',
  },
  {
    service: 'authorization',
    path: '/console/access',
    text: 'Invite a person, or revoke a client',
    hint: 'People join by a link; clients ask a person for consent first.',
  },
];

/** The page at `/`, for people who open the address: who answers here, what it serves, what to try. */
export function renderHome(options: {
  readonly publicUrl: URL;
  readonly services: readonly string[];
  readonly tryNext: readonly string[];
}): Html {
  const { publicUrl, services, tryNext } = options;
  const served = offers.filter(({ service }) => services.includes(service));
  return html`<p class="lead">One server for swap quotes, authorization and change notifications, for agents, wallets and back ends.</p>
<div class="stack-cards"><div class="columns two"><div id="quote"></div>
<div class="stack-cards"><div id="health"></div>
<section class="card" aria-labelledby="runs"><h2 id="runs">What runs here</h2>
<div class="offers">${served.map(renderOffer)}</div>
<p class="proof">For programs: <a href="/docs">every operation</a>, the <a href="/openapi.json">OpenAPI document</a>, <a href="/llms.txt">llms.txt</a> and, for Prometheus, <a href="/metrics">/metrics</a>.</p></section>
</div></div>
<section class="card" aria-labelledby="try"><h2 id="try">Where to go next</h2>
<ol class="steps">${steps.filter(({ service }) => services.includes(service)).map(renderStep)}</ol></section>
<div class="columns even">${services.includes('context') ? renderAgents(publicUrl) : ''}
<section class="card" aria-labelledby="terminal"><h2 id="terminal">From a terminal beside the server</h2>
${tryNext.map(renderCommand)}</section></div></div>`;
}

/** Shows the comment of a command below it, so that copying the command leaves it out. */
function renderCommand(line: string, index: number): Html {
  const [command = '', remark] = line.split('  # ');
  return html`<pre tabindex="0" data-copy="Command ${index + 1}">${command}</pre>${remark === undefined ? '' : html`<p class="hint">${remark.charAt(0).toUpperCase() + remark.slice(1)}.</p>`}`;
}

function renderStep({ path, text, hint }: Step): Html {
  return html`<li><a href="${path}">${text}</a><p class="hint">${hint}</p></li>
`;
}

function renderOffer({ name, text, links }: Offer): Html {
  return html`<div><h3>${name}</h3>
<p>${text}</p>
${links.length === 0 ? '' : html`<p>${links.map((link, index) => html`${index === 0 ? '' : ' · '}<a href="${link.path}">${link.text}</a>`)}</p>`}</div>
`;
}

function renderAgents(publicUrl: URL): Html {
  const { links, command, settings } = agentLinks(publicUrl);
  return html`<section class="card" aria-labelledby="agents"><h2 id="agents">Add to my agent</h2>
<p>${links.map(({ href, name }, index) => html`${index === 0 ? '' : ' · '}<a href="${href}">Add to ${name}</a>`)}</p>
<p>Claude Code:</p><pre tabindex="0" data-copy="Command for Claude Code">${command}</pre>
<p>Any other MCP client, in its settings:</p><pre tabindex="0" data-copy="Settings of an MCP client">${settings}</pre></section>`;
}

/** Links, a command and settings that add this server to common MCP clients. None of them holds a secret. */
function agentLinks(publicUrl: URL) {
  const url = `${publicUrl.origin}/mcp`;
  const settings = { type: 'http', url };
  const encoded = Buffer.from(JSON.stringify({ url })).toString('base64');
  const named = encodeURIComponent(JSON.stringify({ name: 'tradewind', ...settings }));
  return {
    links: [
      {
        name: 'Cursor',
        href: `cursor://anysphere.cursor-deeplink/mcp/install?name=tradewind&config=${encodeURIComponent(encoded)}`,
      },
      { name: 'Visual Studio Code', href: `vscode:mcp/install?${named}` },
    ],
    command: `claude mcp add --transport http tradewind ${url}`,
    settings: JSON.stringify({ mcpServers: { tradewind: settings } }, null, 2),
  };
}
