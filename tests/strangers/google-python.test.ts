import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { expect, onTestFinished } from 'vitest';
import { findProgram } from '../support/installed-programs.ts';
import { openEventsServer } from '../support/open-test-events.ts';
import { testEngines } from '../support/test-engines.ts';
import { testsWith } from '../support/tests-with.ts';

const { test } = testsWith('strangers', 'python');

test('google-api-python-client with api_endpoint runs every method [E11.4]', () =>
  runClient('api_endpoint'));

test('google-api-python-client with discoveryServiceUrl runs every method [E11.5]', () =>
  runClient('discoveryServiceUrl'));

async function runClient(way: string): Promise<void> {
  const [{ createStore }] = testEngines;
  const { suspend, rootUrl } = await openEventsServer(await (await createStore()).open());
  // The interface cannot suspend a subscription, so the client asks this server to.
  const suspending = createServer(async (request, response) => {
    await suspend(request.url!);
    response.end();
  });
  await new Promise<void>((resolve) => suspending.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void suspending.close());
  const suspendAt = `http://127.0.0.1:${(suspending.address() as AddressInfo).port}/`;

  const script = `${import.meta.dirname}/google_client.py`;
  const program = findProgram('python');
  const { stdout } = await promisify(execFile)(program, [script, way, rootUrl, suspendAt]);
  expect(JSON.parse(stdout)).toEqual({ way, listed: 3 });
}
