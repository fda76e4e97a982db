/**
 * What starting the development chain costs, step by step: wall time, processor time of this process
 * and resident memory. The first start also pays for loading packages and cold code. Target: at most one
 * second in all. Run with `node bench/devchain/start-up.ts`.
 */
type Row = { step: string; 'wall ms': number; 'cpu ms': number; 'rss MB': number };

type Moment = { wall: number; cpu: NodeJS.CpuUsage };

async function measure({ load }: { load: boolean }): Promise<Row[]> {
  const rows: Row[] = [];
  const begin = now();
  let last = begin;
  const record = (step: string) => {
    rows.push(rowSince(last, step));
    last = now();
  };
  if (load) {
    await import('viem');
    record('load viem, which the server has anyway');
  }
  const { buildDevchain } = await import('../../src/devchain/build-devchain.ts');
  if (load) record('load EDR and the artifacts');
  const { evm } = await buildDevchain({ chainId: 31337, onStep: record });
  rows.push(rowSince(begin, 'all'));
  evm.close();
  return rows;
}

function now(): Moment {
  return { wall: performance.now(), cpu: process.cpuUsage() };
}

function rowSince({ wall, cpu }: Moment, step: string): Row {
  const { user, system } = process.cpuUsage(cpu);
  return {
    step,
    'wall ms': Math.round(performance.now() - wall),
    'cpu ms': Math.round((user + system) / 1000),
    'rss MB': Math.round(process.memoryUsage.rss() / 1e6),
  };
}

console.log('First start');
console.table(await measure({ load: true }));
console.log('Second start in the same process');
console.table(await measure({ load: false }));
