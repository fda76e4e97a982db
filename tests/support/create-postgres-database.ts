import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

/**
 * Creates an empty database on the server and returns its URL. It sorts text by an English collation, as many
 * installations do, so that a store which needs the order of code points must say so.
 */
export async function createPostgresDatabase(serverUrl: string): Promise<string> {
  const name = createName();
  await ask(
    serverUrl,
    `CREATE DATABASE ${name} TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en'`,
  );
  return leadTo(serverUrl, name);
}

/** Copies a database within the server. Nobody may be connected to the original. */
export async function copyPostgresDatabase(databaseUrl: string): Promise<string> {
  const name = createName();
  const original = new URL(databaseUrl).pathname.slice(1);
  await ask(leadTo(databaseUrl, 'postgres'), `CREATE DATABASE ${name} TEMPLATE ${original}`);
  return leadTo(databaseUrl, name);
}

export async function dropPostgresDatabase(databaseUrl: string): Promise<void> {
  const name = new URL(databaseUrl).pathname.slice(1);
  await ask(leadTo(databaseUrl, 'postgres'), `DROP DATABASE ${name} WITH (FORCE)`);
}

/**
 * Creates an empty schema in the database and returns a URL that leads into it. It costs a tenth
 * of a database, but shares the database's notification channels.
 */
export async function createPostgresSchema(databaseUrl: string): Promise<string> {
  const name = createName();
  await ask(databaseUrl, `CREATE SCHEMA ${name}`);
  const url = new URL(databaseUrl);
  url.searchParams.set('options', `-c search_path=${name}`);
  return url.href;
}

function createName(): string {
  return `test_${randomBytes(6).toString('hex')}`;
}

function leadTo(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

async function ask(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(statement);
  await client.end();
}
