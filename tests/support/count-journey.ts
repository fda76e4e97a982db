import { isAbsolute, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { Run } from './run-tradewind.ts';

/** The files of the product in which a function ran, each with the number of its functions that ran. */
export type Journey = ReadonlyMap<string, number>;

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Lets V8 start its inspector, which {@link openJourneys} asks. */
export const observed = { NODE_OPTIONS: '--inspect=127.0.0.1:0' };

/**
 * Counts what runs in a server that was started with {@link observed} while something happens. What runs anyway, while nobody asks
 * for anything, is left out.
 */
export async function openJourneys(server: Pick<Run, 'match'>) {
  const inspector = await openInspector(await server.match(/listening on (ws:\S+)/));
  await inspector.ask('Profiler.enable');
  await inspector.ask('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const idle = new Set<string>();

  /** The functions that ran since this was last asked, as `file@offset`. */
  async function takeFunctions(): Promise<readonly (readonly [file: string, key: string])[]> {
    const { result } = await inspector.ask('Profiler.takePreciseCoverage');
    return result.flatMap(({ url, functions }) => {
      if (!url.startsWith('file:')) return [];
      const file = relative(root, fileURLToPath(url));
      if (isAbsolute(file) || !file.startsWith('src/')) return [];
      return functions.flatMap(({ ranges: [range] }) =>
        range && range.count > 0 && range.startOffset > 0
          ? [[file, `${file}@${range.startOffset}`] as const]
          : [],
      );
    });
  }

  return {
    /** Notes what runs while `wait` waits as part of no journey. */
    async rest(wait: () => Promise<unknown>): Promise<void> {
      await takeFunctions();
      await wait();
      for (const [, key] of await takeFunctions()) idle.add(key);
    },
    /** What runs from the begin to the end of `travel`. */
    async count(travel: () => Promise<unknown>): Promise<Journey> {
      await takeFunctions();
      await travel();
      const files = new Map<string, number>();
      for (const [file, key] of await takeFunctions()) {
        if (!idle.has(key)) files.set(file, (files.get(file) ?? 0) + 1);
      }
      return files;
    },
  };
}

type Coverage = {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly ranges: readonly { readonly count: number; readonly startOffset: number }[];
    }[];
  }[];
};

async function openInspector(url: string) {
  const socket = new WebSocket(url);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true });
    socket.addEventListener('error', reject, { once: true });
  });
  onTestFinished(() => socket.close());
  const answers = new Map<number, (answer: Coverage) => void>();
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data));
    answers.get(id)?.(result);
  });
  return {
    ask: (method: string, params: object = {}) =>
      new Promise<Coverage>((resolve) => {
        const id = answers.size + 1;
        answers.set(id, resolve);
        socket.send(JSON.stringify({ id, method, params }));
      }),
  };
}
