import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'undici';
import { testAccounts } from '../../src/devchain/evm/test-accounts.ts';
import { readingsOf } from '../server/readings-of.ts';
import { startServer } from '../server/start-server.ts';

/*
 * The memory of server and development chain together while they answer many simultaneous quotes, each for another amount.
 * Run: node bench/quotes/at-once.ts (Node.js 24, Linux).
 */

const count = Number(process.env.QUOTES ?? 200);
const native = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE';
const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';

const server = await startServer({
  environment: { TRADEWIND_DEVCHAIN: 'auto', TRADEWIND_RATE_LIMIT: '10000000' },
});
await quote(0);
const idle = readRssMb();
let most = idle;
const sampling = setInterval(() => {
  most = Math.max(most, readRssMb());
}, 20);
const statuses = await Promise.all(Array.from({ length: count }, (_, index) => quote(index + 1)));
clearInterval(sampling);
const failed = statuses.filter((status) => status !== 200);
console.log(
  `${count} quotes at once: ${Math.round(idle)} MB idle, ${Math.round(most - idle)} MB above it at most, ${failed.length} failed`,
);
await server.stop();

async function quote(index: number): Promise<number> {
  const query = new URLSearchParams({
    tokenIn: native,
    tokenOut: usdc,
    amount: String(10n ** 18n + BigInt(index) * 10n ** 16n),
    sender: testAccounts[1]?.address ?? '',
  });
  const { statusCode, body } = await request(`${server.url}/v1/swap/31337?${query}`);
  await body.dump();
  return statusCode;
}

/** Resident memory of the server and of its child processes. */
function readRssMb(): number {
  const { pid } = server;
  const processes = pid === undefined ? [] : [pid, ...childrenOf(pid)];
  return processes.reduce((sum, one) => sum + readingsOf(one).readRssMb(), 0);
}

function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((one) => one > 0 && parentOf(one) === pid);
}

function parentOf(pid: number): number | undefined {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]);
  } catch {
    return undefined;
  }
}
