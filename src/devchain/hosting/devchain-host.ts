import { flushCompileCache } from 'node:module';
import { systemClock } from '../../kernel/time/clock.ts';
import { devchainLimits } from '../limits.ts';
import type { HostCall, HostMessage, WantedChain } from './host-messages.ts';

// The process of the development chain, which `openHost` starts and ends. The first that it is told is which chain to build.

const mostOfCalls = devchainLimits.callMemory.value;
const mostOfChain = devchainLimits.chainMemory.value;
/** Milliseconds between two looks at the memory while something runs. */
const lookEvery = 25;

const tell = (message: HostMessage) => void process.send?.(message);
let underWay = 0;
/** Bytes that the process held before the first of the calls under way began. */
let atRest = 0;

// Nobody asks any more. A signal to all processes of a terminal leaves it to the one that asks.
process.once('disconnect', () => process.exit());
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
process.once('message', (wanted: WantedChain) => {
  serve(wanted).catch((error: unknown) =>
    tell({
      kind: 'failed',
      reason: error instanceof Error ? (error.stack ?? error.message) : 'unknown',
    }),
  );
});

async function serve(wanted: WantedChain): Promise<void> {
  const builder = await import('../build-devchain.ts').catch((error: unknown) => {
    tell({ kind: 'unavailable', reason: error instanceof Error ? error.message : 'unknown' });
  });
  if (builder === undefined) return;
  const { evm, ...built } = await builder.buildDevchain(wanted);
  process.on('message', async ({ id, request }: HostCall) => {
    begin();
    const outcome = await evm.answer(request);
    underWay -= 1;
    tell({ kind: 'outcome', id, outcome });
  });
  tell({ kind: 'built', built });
  // It is ended without notice, and then would keep nothing for the next start.
  flushCompileCache();
}

function begin(): void {
  underWay += 1;
  if (underWay > 1) return;
  atRest = process.memoryUsage.rss();
  void watchMemory();
}

/** The node works on threads of its own, so that this one can look. What it holds no heap limit counts. */
async function watchMemory(): Promise<void> {
  while (underWay > 0) {
    const held = process.memoryUsage.rss();
    if (held > mostOfChain) return tell({ kind: 'full', of: 'chain' });
    if (held - atRest > mostOfCalls) return tell({ kind: 'full', of: 'calls' });
    await systemClock.sleep(lookEvery);
  }
}
