import { Agent } from 'node:http';
import { expect, test } from 'vitest';
import { createCookieJar } from '../support/cookie-jar.ts';
import { distinctNames, foreignHost, manyMarks } from '../support/hostile-texts.ts';
import { createStallReader, longestStall, measureStalls } from './read-stalls.ts';
import { sendRequest } from './send-request.ts';
import { startFuzzedServer } from './start-fuzzed-server.ts';

const password = 'correct-horse-battery';
/** Almost as much as a form may hold. */
const inForm = 60_000;
const texts = [
  distinctNames(inForm),
  foreignHost(9 * inForm),
  // Marks take two bytes each if they are not escaped.
  manyMarks(3 * inForm),
  '\u{1f600}'.repeat(inForm / 4),
  ' '.repeat(inForm),
  `${'a.'.repeat(inForm / 2)}://`,
];

type Form = { readonly action: string; readonly fields: ReadonlyMap<string, string> };

/** The forms of a page that have fields to write in. */
function formsOf(page: string, path: string): { form: Form; written: string[] }[] {
  const forms = [...page.matchAll(/<form([^>]*)>(.*?)<\/form>/gs)];
  return forms.flatMap(([, attributes = '', inside = '']) => {
    const fields = new Map<string, string>();
    const written: string[] = [];
    for (const [element] of inside.matchAll(/<(?:input|textarea)[^>]*>/g)) {
      const { name, value = '', type = 'text' } = attributesOf(element);
      if (name === undefined) continue;
      fields.set(name, value);
      if (!['hidden', 'checkbox', 'radio', 'submit'].includes(type)) written.push(name);
    }
    const form = { action: attributesOf(attributes).action ?? path, fields };
    return written.length === 0 ? [] : [{ form, written }];
  });
}

function attributesOf(element: string): Record<string, string> {
  return Object.fromEntries(
    [...element.matchAll(/\s([a-z-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      value.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#39;', "'"),
    ]),
  );
}

/** Unlike a browser, escapes only what would end the field, so that as much as possible fits. */
function writeForm(fields: ReadonlyMap<string, string>): string {
  const write = (text: string) => text.replaceAll(/[%&=+]/g, encodeURIComponent);
  return [...fields].map(([name, value]) => `${write(name)}=${write(value)}`).join('&');
}

test('no text in any form of a page holds the event loop [N1]', async () => {
  const server = await startFuzzedServer({
    NODE_OPTIONS: measureStalls,
    TRADEWIND_OWNER_PASSWORD: password,
  });
  const agents = Array.from({ length: 200 }, () => new Agent({ keepAlive: true }));
  try {
    const { readStall, slowestOf } = createStallReader(server);
    const jar = createCookieJar();
    const open = async (path: string, init: RequestInit = {}): Promise<string> => {
      const headers = { ...init.headers, cookie: jar.header() };
      const request = new Request(new URL(path, server.url), { ...init, headers });
      const response = await fetch(request, { redirect: 'manual' });
      jar.take(response);
      const location = response.headers.get('location');
      return location === null ? response.text() : open(new URL(location, request.url).href);
    };
    let sent = 0;
    const send = async ({ action, fields }: Form) => {
      sent += 1;
      const address = sent % agents.length;
      const request = {
        method: 'POST',
        path: new URL(action, server.url).pathname,
        headers: {
          cookie: jar.header(),
          origin: server.url.origin,
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: writeForm(fields),
      };
      await sendRequest(request, { url: server.url, token: undefined, address, agents }).catch(
        () => {},
      );
    };
    const stalls: Record<string, number> = {};
    const tryForms = async (path: string) => {
      for (const { form, written } of formsOf(await open(path), path)) {
        for (const name of written) {
          const filled = texts.map((text) => ({
            ...form,
            fields: new Map([...form.fields, [name, text]]),
          }));
          await readStall();
          stalls[`${form.action} ${name}`] = await slowestOf(filled, send);
        }
      }
    };
    await tryForms('/account');
    const [signIn] = formsOf(await open('/account'), '/account');
    const fields = new Map([...signIn!.form.fields, ['username', 'owner'], ['password', password]]);
    await open(signIn!.form.action, {
      method: 'POST',
      headers: { origin: server.url.origin },
      body: new URLSearchParams([...fields]),
    });
    for (const path of ['/account', '/device']) await tryForms(path);
    console.log(`${sent} forms sent, stalls in milliseconds:`, stalls);
    expect(Object.keys(stalls).length).toBeGreaterThan(5);
    expect(Object.entries(stalls).filter(([, stall]) => stall > longestStall)).toEqual([]);
  } finally {
    for (const agent of agents) agent.destroy();
    await server.end();
  }
});
