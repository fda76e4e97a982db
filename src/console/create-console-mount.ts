import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { type Context, Hono } from 'hono';
import { html } from 'hono/html';
import type { EdgeEnv, Mount } from '../kernel/edge/mount.ts';
import type { OpenApiDocument, OpenApiOperation } from '../kernel/edge/open-api.ts';
import type { Html } from '../kernel/edge/page.ts';
import type { PathPolicy } from '../kernel/edge/paths.ts';
import { consoleServiceFor, serveTestReceiver } from './console-service.ts';
import { contentPolicy } from './console-style.ts';
import { type ConsolePage, pagesFor } from './pages.ts';
import { type Assets, readAssets } from './read-assets.ts';
import { renderHome } from './render-home.ts';
import { renderReference } from './render-reference.ts';
import { renderShell } from './render-shell.ts';

type ConsoleMountOptions = {
  readonly version: string;
  readonly services: readonly string[];
  readonly publicUrl: URL;
  /** Commands that show what this process can do. */
  readonly tryNext: readonly string[];
  /** The description of the server's operations; `samples` are commands that call some of them. */
  readonly document: OpenApiDocument;
  readonly samples: readonly string[];
};

const plainText = 'text/plain; charset=utf-8';
const assetsPath = '/console/assets';
const untilScripts = html`<p class="muted">Loading …</p><noscript><p class="note warn">This page needs scripts, which your browser does not run. The command line <code>tradewind</code> and <a href="/docs">the API</a> can do the same.</p></noscript>`;

/** The pages of the console and what they load, from memory. Nothing is read before the first page is asked for. */
export function createConsoleMount(options: ConsoleMountOptions): Mount {
  const { version, services, publicUrl } = options;
  const pages = pagesFor(services);
  const navigation = [
    ...pages.flatMap(({ path, navigation: name }) => (name === undefined ? [] : [{ path, name }])),
  ];
  const app = new Hono<EdgeEnv>();
  const paths: Record<string, PathPolicy> = {};
  let assets: Assets | undefined;
  const read = () => {
    assets ??= readAssets();
    return assets;
  };

  const bodies: Readonly<Record<string, () => Html>> = {
    '/': () => renderHome(options),
    '/docs': () => renderReference(options.document, options.samples),
  };
  for (const page of pages) serve(page);
  app.get('/llms.txt', (c) => {
    const text = writeLlmsText(options);
    return answer(c, { ...pack('/llms.txt', text), type: plainText, caching: 'no-cache' });
  });
  app.get(`${assetsPath}/:version/:name{.+}`, (c) => {
    const { version: wanted, name } = c.req.param();
    const asset = read().find(name);
    if (asset === undefined) return c.notFound();
    // A page from before a restart may request another version. It gets the current file, uncached.
    const isCurrent = wanted === read().version;
    const caching = isCurrent ? 'public, max-age=31536000, immutable' : 'no-store';
    return answer(c, { ...pack(name, asset.text), type: asset.type, caching });
  });

  if (services.includes('events')) serveTestReceiver(app);

  function serve({ path, heading, module, hasSecret = false }: ConsolePage) {
    const written = bodies[path];
    paths[path] = { hasSecret };
    let shell: Promise<string> | undefined;
    app.get(path, async (c) => {
      const { version: edition, withImports } = read();
      shell ??= renderShell({
        path,
        heading,
        body: written?.() ?? untilScripts,
        modules: withImports(`browser/pages/${module}`),
        isReadable: written !== undefined,
        navigation,
        assets: `${assetsPath}/${edition}/`,
        facts: { version, origin: publicUrl.origin, services },
      });
      const packed = pack(path, await shell);
      return answer(c, { ...packed, type: 'text/html; charset=utf-8', caching: 'no-cache' });
    });
  }

  const packs = new Map<string, Packed>();
  function pack(name: string, text: string): Packed {
    const known = packs.get(name);
    if (known !== undefined) return known;
    const packed = { text, gzip: gzipSync(text, { level: 9 }), tag: tagOf(text) };
    packs.set(name, packed);
    return packed;
  }

  return {
    app,
    paths: {
      ...paths,
      '/console/*': {},
      '/llms.txt': { origins: 'any' },
    },
    service: consoleServiceFor(pages),
  };
}

type Packed = {
  readonly text: string;
  readonly gzip: Uint8Array<ArrayBuffer>;
  readonly tag: string;
};

function tagOf(text: string): string {
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 16)}"`;
}

function answer(
  c: Context<EdgeEnv>,
  file: Packed & { readonly type: string; readonly caching: string },
): Response {
  const { text, gzip, tag, type, caching } = file;
  const headers = {
    'Content-Type': type,
    'Cache-Control': caching,
    'Content-Security-Policy': contentPolicy,
    Vary: 'Accept-Encoding',
    ETag: tag,
  };
  if (c.req.header('if-none-match') === tag) return new Response(null, { status: 304, headers });
  const isPacked = /\bgzip\b/.test(c.req.header('accept-encoding') ?? '');
  return isPacked
    ? new Response(gzip, { headers: { ...headers, 'Content-Encoding': 'gzip' } })
    : new Response(text, { headers });
}

/** What a language model should know of this server, as llmstxt.org proposes it: what it is, how to sign in, every operation. */
function writeLlmsText(options: {
  readonly publicUrl: URL;
  readonly services: readonly string[];
  readonly document: OpenApiDocument;
}): string {
  const { publicUrl, services, document } = options;
  const { origin } = publicUrl;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
  const sections = document.tags.map(({ name, description }) => {
    const lines = operations
      .filter(({ operation }) => operation.tags.includes(name))
      .map(
        ({ method, path, operation }) =>
          `- [${operation.summary}](${origin}/docs#${operation.operationId}): \`${method.toUpperCase()} ${path}\`.${describe(operation)}`,
      );
    return [`## ${name}`, '', description, '', ...lines, ''].join('\n');
  });
  const agents = services.includes('context')
    ? `Point an MCP client at ${origin}/mcp; a person is asked for consent once.\n`
    : '';
  const tokens = services.includes('authorization')
    ? `Tokens come from OAuth 2.1; the metadata is at ${origin}/.well-known/oauth-authorization-server.\n`
    : '';
  return `# Tradewind

> Swap quotes with a proof of how good the route is, OAuth 2.1 for MCP, and change notifications, on one self-hosted server at ${origin}.

${agents}${tokens}Every parameter and answer is described in ${origin}/openapi.json.

${sections.join('\n')}`;
}

/** The description after a space; empty if it only repeats the title. */
function describe({ summary, description }: OpenApiOperation): string {
  return description === `${summary}.` ? '' : ` ${description}`;
}
