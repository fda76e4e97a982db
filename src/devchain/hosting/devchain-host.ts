import { flushCompileCache } from 'node:module';
import { systemClock } from '../../kernel/wait/clock.ts';
import { devchainLimits } from '../limits.ts';
import type { HostCall, HostMessage, WantedChain } from './open-host.ts';

// The process of the development chain, which `openHost` starts and ends. Its first message says which chain to build.

const mostOfCalls = devchainLimits.callMemory.value;
const mostOfChain = devchainLimits.chainMemory.value;
/** Milliseconds between two looks at the memory while something runs. */
const lookEvery = 25;

const tell = (message: HostMessage) => void process.send?.(message);
let underWay = 0;
/** Bytes that the process held before the first of the calls under way began. */
let atRest = 0;

// The parent process is gone. A signal to all processes of a terminal is left to the parent.
process.once('disconnect', () => process.exit());
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
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
  // The process is killed without notice, and would then save no compiled code for the next start.
  flushCompileCache();
}

function begin(): void {
  underWay += 1;
  if (underWay > 1) return;
  atRest = process.memoryUsage.rss();
  void watchMemory();
}

/** The node works on threads of its own, so this thread is free to look. No heap limit counts the memory of the node. */
async function watchMemory(): Promise<void> {
  while (underWay > 0) {
    const held = process.memoryUsage.rss();
    if (held > mostOfChain) return tell({ kind: 'full', of: 'chain' });
    if (held - atRest > mostOfCalls) return tell({ kind: 'full', of: 'calls' });
    await systemClock.sleep(lookEvery);
  }
}
