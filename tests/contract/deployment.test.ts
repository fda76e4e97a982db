import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { createServer as createHttpServer, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ipaddr from 'ipaddr.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { allSettings } from '../../src/app/settings/all-settings.ts';
import { readConfig } from '../../src/app/settings/load-config.ts';
import { type Settings, variableName } from '../../src/kernel/process/settings.ts';
import { testsWith } from '../support/tests-with.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const unit = join(root, 'deploy/tradewind.service');

describe('deploy/', () => {
  it('names settings that the server has [T6]', () => {
    const known = Object.values<Settings>(allSettings).flatMap((part) =>
      Object.keys(part).map(variableName),
    );
    const named = globSync('deploy/*', { cwd: root }).flatMap((path) =>
      [...read(path).matchAll(/TRADEWIND_[A-Z0-9_]+/g)].map(([name]) => name),
    );
    expect(named.length).toBeGreaterThan(8);
    expect([...new Set(named)].filter((name) => !isKnown(name, known))).toEqual([]);
  });

  it('starts processes with settings that fit together [T6]', () => {
    const compose = read('deploy/compose.yml');
    const values = {
      DOMAIN: 'tradewind.example.com',
      POSTGRES_PASSWORD: 'p',
      SECRET_KEY: 'long enough',
    };
    const environment = Object.fromEntries(
      [...compose.matchAll(/^ {4}(TRADEWIND_\w+): "?([^"\n]*)"?$/gm)].map(
        ([, name, value = '']) => [
          name,
          value.replaceAll(/\$\{(\w+):[^}]*\}/g, (_, key) => values[key as 'DOMAIN'] ?? ''),
        ],
      ),
    );
    const image = Object.fromEntries(
      [...read('deploy/Containerfile').matchAll(/\b(TRADEWIND_\w+)=(\S+)/g)].map(
        ([, name, value]) => [name, value],
      ),
    );
    expect(Object.keys(environment).length).toBeGreaterThan(5);
    const { problems, warnings } = readConfig({
      environment: { ...image, ...environment },
      flags: {},
    });
    expect({ problems, warnings }).toEqual({ problems: [], warnings: [] });
  });

  it('copies only files that exist, and the current version [T6]', () => {
    const { version } = JSON.parse(read('package.json'));
    const containerfile = read('deploy/Containerfile');
    expect(containerfile).toContain(`tradewind-${version}.tgz`);
    const copied = [...containerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(
      ([, names = '']) => names.split(' '),
    );
    for (const name of copied) expect(existsSync(join(root, name)), name).toBe(true);
    for (const [, name = ''] of read('deploy/compose.yml').matchAll(/- (\.\/\S+?):/g)) {
      expect(existsSync(join(root, 'deploy', name)), name).toBe(true);
    }
  });

  it('excludes packages, builds, data and the Git history by .dockerignore [T6]', () => {
    expect(read('.dockerignore').split('\n')).toEqual(
      expect.arrayContaining(['.git', 'node_modules', 'build', 'dist', 'data']),
    );
  });

  it('keeps the address of the proxy from all others [T6]', () => {
    const compose = read('deploy/compose.yml');
    const [, given = ''] = /ip_range: ([\d./]+)/.exec(compose) ?? [];
    const [, subnet = ''] = /subnet: ([\d./]+)/.exec(compose) ?? [];
    const [, proxy = ''] = /ipv4_address: ([\d.]+)/.exec(compose) ?? [];
    expect(compose).toContain(`TRADEWIND_TRUSTED_PROXY: ${proxy}\n`);
    expect(ipaddr.parse(proxy).match(ipaddr.parseCIDR(subnet))).toBe(true);
    expect(ipaddr.parse(proxy).match(ipaddr.parseCIDR(given))).toBe(false);
  });

  it.each([
    ['http', 200, 0],
    ['http', 503, 1],
    ['https', 200, 0],
    ['https', 503, 1],
  ] as const)(
    'has a health check that asks by %s, and of %i makes %i [T6]',
    async (scheme, status, code) => {
      const answer = (_: unknown, response: ServerResponse) => response.writeHead(status).end();
      const file = (name: string) => join(root, 'tests/support/certificates', name);
      const server =
        scheme === 'http'
          ? createHttpServer(answer)
          : createHttpsServer(
              {
                cert: readFileSync(file('localhost.pem')),
                key: readFileSync(file('localhost-key.pem')),
              },
              answer,
            );
      await once(server.listen(0, '127.0.0.1'), 'listening');
      onTestFinished(() => {
        server.close();
        server.closeAllConnections();
      });
      const { port } = server.address() as AddressInfo;
      const [, command = ''] =
        /HEALTHCHECK .*\n\s+CMD (.+)/.exec(read('deploy/Containerfile')) ?? [];
      const [program, ...args] = JSON.parse(command) as string[];
      expect(program).toBe('node');
      const environment = {
        TRADEWIND_PORT: String(port),
        ...(scheme === 'https' ? { TRADEWIND_TLS_CERT: file('localhost.pem') } : {}),
      };
      const [ended] = await once(spawn(process.execPath, args, { env: environment }), 'exit');
      expect(ended).toBe(code);
    },
  );

  testsWith('systemd').it('has a sandboxed unit that systemd accepts [T6]', () => {
    const verified = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' });
    const complaints = verified.stderr
      .split('\n')
      .filter((line) => line.includes('tradewind') && !line.includes('not executable'));
    expect(complaints).toEqual([]);
    // The threshold is an exposure in tenths, so 1.5; a unit without any protection has 10.
    const args = ['security', '--offline=true', '--threshold=15', '--no-pager', unit];
    const judged = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
    expect(judged.status, judged.stdout.slice(-300) + judged.stderr).toBe(0);
  });
});

/** An alert may name a family of settings: `TRADEWIND_RPC_{{ $labels.chain }}`. */
function isKnown(name: string, known: readonly string[]): boolean {
  return known.includes(name) || known.includes(name.replace(/_\d*$/, ''));
}
