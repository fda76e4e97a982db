import { readJson } from '../../kernel/outbound-http/read-json.ts';
import type { Clock } from '../../kernel/time/clock.ts';
import { TimedOut, withDeadline } from '../../kernel/time/with-deadline.ts';
import type { Finding } from './finding.ts';

/** Whether each endpoint named in the settings answers, and for the chain it is named for. */
export async function checkRpc(
  endpoints: ReadonlyMap<number, readonly string[]>,
  clock: Clock,
): Promise<Finding[]> {
  const probes = [...endpoints].flatMap(([chainId, urls]) =>
    urls.map((url, index) =>
      probe({ chainId, url, setting: `TRADEWIND_RPC_${chainId}`, index }, clock),
    ),
  );
  if (probes.length > 0) return Promise.all(probes);
  const detail =
    'no endpoints of your own are set; public ones are ranked when a chain is first asked for';
  return [{ check: 'rpc', ok: true, detail }];
}

type Endpoint = { chainId: number; url: string; setting: string; index: number };

const rpcPatience = 5_000;
/** Many times what the number of a chain takes. */
const mostBytes = 64 * 1024;

async function probe({ chainId, url, setting, index }: Endpoint, clock: Clock): Promise<Finding> {
  // Only the origin is shown: keys hide in paths and query strings.
  const shown = `${setting}, endpoint ${index + 1} (${new URL(url).origin})`;
  const mend = `correct or remove it in ${setting}`;
  try {
    const { result, status } = await withDeadline(
      { clock, milliseconds: rpcPatience },
      async (signal) => {
        const response = await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }),
          signal,
        });
        const answer = Object(await readJson(response, { mostBytes }));
        return { result: answer.result as unknown, status: response.status };
      },
    );
    if (Number(result) === chainId) {
      return { check: 'rpc', ok: true, detail: `${shown} answers for chain ${chainId}` };
    }
    const said =
      result === undefined ? `HTTP ${status} and no chain id` : `chain ${Number(result)}`;
    return { check: 'rpc', ok: false, detail: `${shown} answers ${said}`, mend };
  } catch (error) {
    const reason = error instanceof TimedOut ? 'in time' : 'at all';
    return { check: 'rpc', ok: false, detail: `${shown} does not answer ${reason}`, mend };
  }
}
