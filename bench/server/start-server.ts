import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ProcessReadings, readingsOf } from './readings-of.ts';

const launcher = fileURLToPath(new URL('../../bin/tradewind.js', import.meta.url));
/** The runtime options of `npm start`, so that the server is measured as it is run. */
const usualOptions = startCommand().match(/--\S+/g) ?? [];

export type MeasuredServer = ProcessReadings & {
  readonly url: string;
  /** Stops the server and removes its data. */
  stop(): Promise<void>;
};

/**
 * Starts the real command in its own process, on an empty data directory and without the development
 * chain, and resolves once it is ready. Runtime options go before the command. Linux only.
 */
export async function startServer(
  options: {
    environment?: Readonly<Record<string, string>>;
    runtimeOptions?: readonly string[];
  } = {},
): Promise<MeasuredServer & { readonly pid: number | undefined }> {
  const { environment = {}, runtimeOptions = [] } = options;
  const dataDir = mkdtempSync(join(tmpdir(), 'tradewind-bench-'));
  const child = spawn(
    process.execPath,
    [...usualOptions, ...runtimeOptions, launcher, 'serve', '--json'],
    {
      env: {
        TRADEWIND_PORT: '0',
        TRADEWIND_DATA_DIR: dataDir,
        TRADEWIND_DEVCHAIN: 'off',
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  const ended = once(child, 'close');
  const [line] = await once(child.stdout, 'data');
  const { url } = JSON.parse(String(line).split('\n')[0] ?? '');
  return {
    url,
    pid: child.pid,
    ...readingsOf(child.pid),
    async stop() {
      child.kill('SIGTERM');
      await ended;
      rmSync(dataDir, { recursive: true });
    },
  };
}

function startCommand(): string {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return JSON.parse(manifest).scripts.start;
}
