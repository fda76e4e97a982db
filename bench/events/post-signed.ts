import { Pool } from 'undici';
import { signedHeaders } from './contender.ts';

/** Posts signed bodies to the sink over its own connection pool, as a queue's worker would. */
export function createPost(sink: string, connections: number) {
  const pool = new Pool(sink, { connections, pipelining: 1 });
  return async (id: string, body: string): Promise<void> => {
    const response = await pool.request({
      method: 'POST',
      path: '/hook',
      headers: signedHeaders(id, body),
      body,
    });
    await response.body.dump();
    if (response.statusCode !== 204) throw new Error(`The sink answered ${response.statusCode}.`);
  };
}
