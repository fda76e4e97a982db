import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { hands } from './operations.ts';
import { startTradewind } from './start-contestant.ts';

/** Long enough for the server to free the memory that its start and the load left behind. */
const restMs = 20_000;

/** Resident memory of the idle server, before and after it has issued this many tokens, none of them expired. */
export async function measureMemory(liveTokens: number) {
  const server = await startTradewind();
  const pool = new Pool(new URL(server.url).origin, { connections: hands });
  const { id, secret } = server.machine;
  const headers = {
    authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
    'content-type': 'application/x-www-form-urlencoded',
  };
  const body = 'grant_type=client_credentials';
  await sleep(restMs);
  const idle = server.readRssMb();
  let left = liveTokens;
  const ask = async () => {
    while (left-- > 0) {
      const answer = await pool.request({ path: '/token', method: 'POST', headers, body });
      if (answer.statusCode !== 200) throw new Error(`/token: ${answer.statusCode}`);
      await answer.body.dump();
    }
  };
  await Promise.all(Array.from({ length: hands }, ask));
  await sleep(restMs);
  const loaded = server.readRssMb();
  await pool.close();
  await server.stop();
  return {
    'resident MB': {
      idle: Math.round(idle),
      [`${liveTokens} live tokens`]: Math.round(loaded),
    },
  };
}
