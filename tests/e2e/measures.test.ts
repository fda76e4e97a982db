import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { issueToken } from '../support/issue-token.ts';
import { useServer } from '../support/run-tradewind.ts';

const server = useServer();
const read = (name: string) =>
  readFileSync(new URL(`../../deploy/${name}`, import.meta.url), 'utf8');

async function scrape(): Promise<string> {
  return (await fetch(`${server.url}/metrics`)).text();
}

/** Every series that the page can have: a histogram has three. */
function namesOf(page: string): Set<string> {
  const declared = page.matchAll(/^# TYPE (\S+) (\S+)$/gm);
  return new Set(
    [...declared].flatMap(([, name = '', kind]) =>
      kind === 'histogram'
        ? ['_bucket', '_sum', '_count'].map((ending) => `${name}${ending}`)
        : [name],
    ),
  );
}

test.each(['dashboard.json', 'alerts.yml'])(
  'deploy/%s uses only metrics that the server exposes [T5]',
  async (file) => {
    const there = namesOf(await scrape());
    const asked = new Set(
      [...read(file).matchAll(/\b(?:tradewind|nodejs|process)_[a-z0-9_]+/g)].map(([name]) => name),
    );
    expect(asked.size).toBeGreaterThan(8);
    expect([...asked].filter((name) => !there.has(name))).toEqual([]);
  },
);

test('every metric of our own is on the dashboard or in an alert [T5]', async () => {
  const shown = read('dashboard.json') + read('alerts.yml');
  const own = [...(await scrape()).matchAll(/^# TYPE (tradewind_\S+)/gm)].map(([, name]) => name!);
  // The only exception is for developers: a difference between trial and computation is a bug.
  const unshown = own.filter((name) => !shown.includes(name));
  expect(unshown).toEqual(['tradewind_swap_trial_differences_total']);
});

test('tokens, refusals and waits for the store are counted [T5]', async () => {
  const seriesAt = async (series: string) => {
    const line = (await scrape()).split('\n').find((each) => each.startsWith(`${series} `));
    return Number(line?.split(' ').at(-1) ?? 0);
  };
  await issueToken(server.url, 'swap.read');
  await fetch(`${server.url}/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id: 'nobody' }),
  });
  const granted = 'tradewind_authorization_tokens_total{grant="client_credentials"}';
  expect(await seriesAt(granted)).toBe(1);
  expect(await seriesAt('tradewind_authorization_refusals_total{error="invalid_client"}')).toBe(1);
  expect(await seriesAt('tradewind_ready')).toBe(1);
  expect(await seriesAt('tradewind_database_wait_seconds_count{kind="write"}')).toBeGreaterThan(0);
  expect(await seriesAt('tradewind_events_queued')).toBe(0);
});
