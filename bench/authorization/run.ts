/**
 * What authorization costs: processor time of the server for each operation over HTTP, ours durable on
 * disk beside oidc-provider in memory, in the same run; and in process the check of a request by the
 * guard, and the memory of live tokens.
 *
 * Run: node bench/authorization/run.ts [requests] [live tokens]. Linux only.
 */
import { Pool } from 'undici';
import { measureGuard } from './measure-guard.ts';
import { measureMemory } from './measure-memory.ts';
import {
  type Contestant,
  discoveryPath,
  startOidcProvider,
  startTradewind,
} from './start-contestant.ts';

const requests = Number(process.argv[2] ?? 3_000);
const liveTokens = Number(process.argv[3] ?? 100_000);
const hands = 16;
const rounds = 5;
/** Until then much of a server's time is that of the compiler; all of them settle within it. */
const warmUp = 15_000;

type Call = (hand: number) => Promise<void>;
type Operation = (contestant: Contestant, pool: Pool) => Promise<Call>;

const formType = { 'content-type': 'application/x-www-form-urlencoded' };
const basic = ({ machine }: Contestant) => ({
  authorization: `Basic ${Buffer.from(`${machine.id}:${machine.secret}`).toString('base64')}`,
});

const operations: Record<string, Operation> = {
  discovery: async (_, pool) => async () => {
    const answer = await pool.request({ path: discoveryPath, method: 'GET' });
    if (answer.statusCode !== 200) throw new Error(`discovery: ${answer.statusCode}`);
    await answer.body.dump();
  },
  'client credentials': async (contestant, pool) => async () => {
    await askForToken(contestant, pool);
  },
  refresh: async (contestant, pool) => {
    const tokens: string[] = [];
    for (let hand = 0; hand < hands; hand++) tokens.push(await contestant.signIn());
    return async (hand) => {
      const refresh_token = tokens[hand] ?? '';
      const form = { grant_type: 'refresh_token', client_id: contestant.app, refresh_token };
      const answer = await post(pool, contestant.endpoints.token_endpoint, form);
      tokens[hand] = String(answer.refresh_token);
    };
  },
  introspection: async (contestant, pool) => {
    const token = await askForToken(contestant, pool);
    const url = contestant.endpoints.introspection_endpoint;
    return async () => {
      const { active } = await post(pool, url, { token }, basic(contestant));
      if (active !== true) throw new Error('introspection: not active');
    };
  },
};

const contestants = {
  tradewind: await startTradewind(),
  'oidc-provider, signed': await startOidcProvider('jwt'),
  'oidc-provider, stored': await startOidcProvider('opaque'),
};
const rows = [];
for (const [operation, prepare] of Object.entries(operations)) {
  const measured = new Map<string, Measured>();
  for (const [name, contestant] of Object.entries(contestants)) {
    // It refuses to introspect the tokens that it signed.
    if (operation === 'introspection' && name === 'oidc-provider, signed') continue;
    const pool = new Pool(new URL(contestant.url).origin, { connections: hands });
    measured.set(name, { contestant, pool, call: await prepare(contestant, pool), micros: [] });
  }
  for (const { call } of measured.values()) await load(call, warmUp);
  // In turns, so that what else the machine does meets all of them.
  for (let round = 0; round < rounds; round++) {
    for (const one of measured.values()) await measure(one);
  }
  const bestOf = ({ micros }: Measured) => Math.min(...micros);
  const ours = bestOf(measured.get('tradewind') as Measured);
  for (const [server, one] of measured) {
    const cost = bestOf(one);
    const share = server === 'tradewind' ? '' : (ours / cost).toFixed(2);
    rows.push({ operation, server, 'cpu µs': cost.toFixed(0), 'ours to theirs': share });
    await one.pool.close();
  }
}
console.table(rows);
for (const contestant of Object.values(contestants)) await contestant.stop();
console.table(await measureGuard());
console.table(await measureMemory(liveTokens));

type Measured = { contestant: Contestant; pool: Pool; call: Call; micros: number[] };

async function measure({ contestant, call, micros }: Measured): Promise<void> {
  const before = contestant.readCpuMs();
  await load(call, requests);
  micros.push(((contestant.readCpuMs() - before) * 1_000) / requests);
}

async function load(call: Call, count: number): Promise<void> {
  let left = count;
  const work = async (hand: number) => {
    while (left-- > 0) await call(hand);
  };
  await Promise.all(Array.from({ length: hands }, (_, hand) => work(hand)));
}

async function askForToken(contestant: Contestant, pool: Pool): Promise<string> {
  const form = { grant_type: 'client_credentials', scope: 'swap.read' };
  const url = contestant.endpoints.token_endpoint;
  const answer = await post(pool, url, form, basic(contestant));
  return String(answer.access_token);
}

async function post(
  pool: Pool,
  url: string,
  form: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Record<string, unknown>> {
  const { statusCode, body } = await pool.request({
    path: new URL(url).pathname,
    method: 'POST',
    headers: { ...formType, ...headers },
    body: new URLSearchParams(form).toString(),
  });
  const answer = await body.json();
  if (statusCode !== 200) throw new Error(`${url}: ${statusCode} ${JSON.stringify(answer)}`);
  return answer as Record<string, unknown>;
}
