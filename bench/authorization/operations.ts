import type { Pool } from 'undici';
import { type Contestant, discoveryPath } from './start-contestant.ts';

/** Makes one request. Each of the concurrent callers has a number, its `hand`. */
export type Call = (hand: number) => Promise<void>;
type Operation = (contestant: Contestant, pool: Pool) => Promise<Call>;

/** How many requests are under way at once, each on a connection of its own. */
export const hands = 16;

const formType = { 'content-type': 'application/x-www-form-urlencoded' };
const basic = ({ machine }: Contestant) => ({
  authorization: `Basic ${Buffer.from(`${machine.id}:${machine.secret}`).toString('base64')}`,
});

/** The requests of a client to an authorization server. Each entry does its preparation, then returns the call to measure. */
export const operations: Record<string, Operation> = {
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
