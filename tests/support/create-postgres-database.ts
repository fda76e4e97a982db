import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

/**
 * Makes a fresh, empty database on the server and answers its URL. It sorts text as English does,
 * as many installations do, so that a store which leans on the order of bytes must say so.
 */
export async function createPostgresDatabase(serverUrl: string): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(
    `CREATE DATABASE ${name} TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en'`,
  );
  await client.end();
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
