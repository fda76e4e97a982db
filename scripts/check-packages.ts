import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  globSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { packages } from './packages.ts';

/**
 * Packs each built package, installs the tarball into an empty project as an outside user would, and uses it on every
 * Node.js version that it supports and that this machine has. Prints the size of the install, and writes a software
 * bill of materials beside the tarball.
 */
export async function checkPackages(): Promise<void> {
  const runtimes = findRuntimes();
  for (const { name, node } of packages) {
    const least = Number(/\d+/.exec(node)?.[0]);
    const directory = mkdtempSync(join(tmpdir(), `${name}-`));
    try {
      install(name, directory);
      for (const { major, path } of runtimes.filter((runtime) => runtime.major >= least)) {
        await uses[name]?.(directory, path);
        console.log(`  used on Node.js ${major}`);
      }
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  }
}

/** The Node.js that runs this script, and for each other major version the first one on the path. */
function findRuntimes(): { readonly major: number; readonly path: string }[] {
  const candidates = [
    process.execPath,
    ...(process.env.PATH ?? '')
      .split(delimiter)
      .flatMap((folder) => globSync(join(folder, 'node'))),
  ];
  const byMajor = new Map<number, string>();
  for (const path of candidates) {
    const major = Number(
      execFileSync(path, ['-p', 'process.versions.node']).toString().split('.')[0],
    );
    if (!byMajor.has(major)) byMajor.set(major, path);
  }
  return [...byMajor].map(([major, path]) => ({ major, path }));
}

function install(name: string, directory: string): void {
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', resolve('build')], {
    cwd: join('build', name),
  });
  const [{ filename, files, size }] = JSON.parse(packed.toString());
  writeFileSync(
    join(directory, 'package.json'),
    '{"name": "empty", "version": "1.0.0", "private": true, "type": "module"}',
  );
  const tarball = resolve('build', filename);
  execFileSync('npm', ['install', ...quiet, tarball], { cwd: directory });
  const installed = readFileSync(join(directory, 'package-lock.json'), 'utf8');
  const there = Object.keys(JSON.parse(installed).packages).filter(
    (path) => path !== '' && globSync(join(directory, path, 'package.json')).length > 0,
  );
  const bytes = globSync(join(directory, 'node_modules/**'))
    .map((path) => lstatSync(path))
    .reduce((sum, { blocks }) => sum + blocks * 512, 0);
  if (there.includes('node_modules/node')) throw new Error(`${name} brings a Node.js of its own`);
  console.log(
    `${filename}: ${files.length} files, ${Math.round(size / 1024)} KiB packed; installed ${there.length} packages, ${(bytes / 2 ** 20).toFixed(1)} MB`,
  );
  const bill = execFileSync('npm', ['sbom', '--sbom-format=cyclonedx', '--omit=dev'], {
    cwd: directory,
    maxBuffer: 64 * 1024 * 1024,
  });
  writeFileSync(join('build', `${name}.cdx.json`), bill);
}

const uses: Readonly<Record<string, (directory: string, node: string) => Promise<void>>> = {
  async tradewind(directory, node) {
    expectOutput(directory, node, {
      code: `const { createPkce } = await import('tradewind/client');
        const { createGuard } = await import('tradewind/guard');
        console.log(typeof createPkce, typeof createGuard);`,
      output: 'function function',
    });
    const tradewind = 'node_modules/tradewind/bin/tradewind.js';
    execFileSync(node, [tradewind, 'devchain', 'install'], { cwd: directory, stdio: 'ignore' });
    const server = spawn(node, [tradewind, 'serve', '--json', '--port', '0'], {
      cwd: directory,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const [line] = await once(server.stdout, 'data');
      const { url } = JSON.parse(line);
      const { data } = (await (await fetch(`${url}/health`)).json()) as {
        data: { status: string };
      };
      if (data.status !== 'ok') throw new Error(`/health says ${data.status}`);
      await expectConsole(url);
      const price = ['price', '1', 'ETH', 'USDC', '--json', '--server', url];
      const said = execFileSync(node, [tradewind, ...price], { cwd: directory }).toString();
      if (!(Number(JSON.parse(said).expectedAmountOut) > 0))
        throw new Error(`a price says ${said}`);
    } finally {
      server.kill('SIGTERM');
      await once(server, 'close');
    }
  },

  async 'tradewind-guard'(directory, node) {
    checkTypes(
      directory,
      `
      import { createServer } from 'node:http';
      import { createGuard, nodeGuard } from 'tradewind-guard';
      const guard = createGuard({ issuer: 'https://a.example', resource: 'https://b.example/mcp' });
      export const server = createServer(async (request, response) => {
        const principal = await nodeGuard(guard, { scope: ['crm.read'] })(request, response);
        if (principal !== undefined) response.end(principal.subject);
      });`,
    );
    checkTypes(
      directory,
      `
      import { Hono } from 'hono';
      import { createGuard, honoGuard } from 'tradewind-guard';
      const guard = createGuard({ issuer: 'https://a.example', resource: 'https://b.example/mcp' });
      export const app = new Hono().get('/mcp', honoGuard(guard), (c) =>
        c.text(c.get('principal').subject),
      );`,
      ['hono'],
    );
    expectOutput(directory, node, {
      code: `import { createServer } from 'node:http';
        import { createGuard, nodeGuard } from 'tradewind-guard';
        const guard = createGuard({ issuer: 'https://a.example', resource: 'https://b.example/mcp' });
        const judge = nodeGuard(guard, { scope: ['crm.read'] });
        const server = createServer((request, response) => judge(request, response)).listen(0, async () => {
          const response = await fetch('http://localhost:' + server.address().port);
          console.log(response.status, response.headers.get('www-authenticate'));
          process.exit();
        });`,
      output:
        '401 Bearer scope="crm.read", resource_metadata="https://b.example/.well-known/oauth-protected-resource/mcp"',
    });
  },

  async 'tradewind-client'(directory, node) {
    checkTypes(
      directory,
      `
      import { createAuthorizedFetch, type Vault } from 'tradewind-client';
      export const open = (vault: Vault) =>
        createAuthorizedFetch({ serverUrl: 'https://api.example.com/mcp', vault });`,
    );
    expectOutput(directory, node, {
      code: `import { createServer } from 'node:http';
        import { createAuthorizedFetch, openVault } from 'tradewind-client';
        const vault = openVault({ directory: './vault', keyring: undefined });
        await vault.set('greeting', 'hello');
        const server = createServer((request, response) => response.end('open')).listen(0, async () => {
          const serverUrl = 'http://localhost:' + server.address().port + '/mcp';
          const authorized = await createAuthorizedFetch({ serverUrl, vault });
          const answer = await authorized(serverUrl);
          const held = await vault.lock('one', async () => vault.get('greeting'));
          console.log(answer.status, await answer.text(), held);
          const closed = createServer((request, response) => {
            response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
          }).listen(0, async () => {
            const closedUrl = 'http://localhost:' + closed.address().port + '/mcp';
            const refused = await createAuthorizedFetch({ serverUrl: closedUrl, vault, isInteractive: false });
            await refused(closedUrl).catch((error) => console.log(error.name));
            process.exit();
          });
        });`,
      output: '200 open hello\nClientError',
    });
  },
};

/** Checks that the package serves a page of the console and all files that it loads. */
async function expectConsole(url: string): Promise<void> {
  const page = await (await fetch(`${url}/console/quote`)).text();
  const files = [...page.matchAll(/(?:href|src)="(\/console\/assets\/[^"]+)"/g)];
  if (files.length < 10) throw new Error(`the console loads only ${files.length} files`);
  for (const [, path = ''] of files) {
    const { ok, status } = await fetch(url + path);
    if (!ok) throw new Error(`${path} of the console answers ${status}`);
  }
}

function expectOutput(
  directory: string,
  node: string,
  { code, output }: { readonly code: string; readonly output: string },
): void {
  writeFileSync(join(directory, 'use.js'), code);
  const said = execFileSync(node, ['use.js'], { cwd: directory }).toString().trim();
  if (said !== output) throw new Error(`expected ${output}, but it says ${said}`);
}

/**
 * As a user who checks types strictly, those of libraries included. The types of Node.js, and the packages in `owned`,
 * are the user's own.
 */
function checkTypes(directory: string, code: string, owned: readonly string[] = []): void {
  writeFileSync(join(directory, 'use.ts'), code);
  writeFileSync(
    join(directory, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        strict: true,
        noEmit: true,
        target: 'es2023',
        module: 'nodenext',
        types: ['node'],
        typeRoots: [resolve('node_modules/@types')],
      },
      files: ['use.ts'],
    }),
  );
  const lent = ['@types', ...owned].filter(
    (name) => !existsSync(join(directory, 'node_modules', name)),
  );
  for (const name of lent) {
    symlinkSync(resolve('node_modules', name), join(directory, 'node_modules', name));
  }
  execFileSync(resolve('node_modules/.bin/tsc'), ['-p', directory], { stdio: 'inherit' });
  for (const name of lent) rmSync(join(directory, 'node_modules', name));
  rmSync(join(directory, 'use.ts'));
}
