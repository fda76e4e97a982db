import { Pool } from 'undici';
import { startTradewind } from './start-contestant.ts';

const hands = 16;

/** What the server holds when it is idle, and after it has given out this many tokens that all live. */
export async function measureMemory(liveTokens: number) {
  const server = await startTradewind();
  const pool = new Pool(new URL(server.url).origin, { connections: hands });
  const { id, secret } = server.machine;
  const headers = {
    authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
    'content-type': 'application/x-www-form-urlencoded',
  };
  const body = 'grant_type=client_credentials';
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
