import { expect, test } from 'vitest';
import { createFakeClock } from '../../../tests/support/fake-clock.ts';
import { createBoundedFetch } from './bounded-fetch.ts';

const url = 'https://tradewind.example/v1/events';

/** A stand-in for fetch that returns these answers in order and records the requests. */
function sendTo(...answers: Response[]) {
  const asked: string[] = [];
  const send: typeof fetch = async (input, init) => {
    const { method, headers, url: address } = new Request(input, init);
    const body = await new Response(init?.body ?? '').text();
    asked.push([method, address, headers.get('authorization'), body].join(' '));
    return answers.shift() ?? Response.error();
  };
  return { asked, send };
}

const redirectTo = (location: string, status = 307) =>
  new Response(null, { status, headers: { location } });
const publish = { method: 'POST', body: 'an event', headers: { authorization: 'Bearer a' } };

test('follows a redirect to the same origin, with all that was sent', async () => {
  const { asked, send } = sendTo(redirectTo('/v1/events/'), Response.json({}));
  expect((await createBoundedFetch({ send })(url, publish)).status).toBe(200);
  expect(asked).toEqual([`POST ${url} Bearer a an event`, `POST ${url}/ Bearer a an event`]);
});

test('follows a 303 after a POST with a GET', async () => {
  const { asked, send } = sendTo(redirectTo('/done', 303), Response.json({}));
  await createBoundedFetch({ send })(url, publish);
  expect(asked.at(-1)).toBe('GET https://tradewind.example/done Bearer a ');
});

test.each([
  ['https://other.example/v1/events', 'https://other.example'],
  ['http://tradewind.example/v1/events', 'http://tradewind.example'],
  ['file:///etc/passwd', 'file://'],
])('follows no redirect to %s, and says how to name that server', async (location, named) => {
  const { asked, send } = sendTo(redirectTo(location));
  await expect(createBoundedFetch({ send })(url, publish)).rejects.toMatchObject({
    code: 'SENT_ELSEWHERE',
    message: expect.stringContaining(`redirects to ${named}, and nothing was sent there`),
  });
  expect(asked).toHaveLength(1);
});

test('stops a redirect loop [N9]', async () => {
  const { asked, send } = sendTo(...Array.from({ length: 99 }, () => redirectTo(url)));
  const refused = createBoundedFetch({ send })(url);
  await expect(refused).rejects.toMatchObject({ code: 'INVALID_ANSWER' });
  expect(asked).toHaveLength(6);
});

/** An answer that begins with a space and never ends. Records whether it was cancelled. */
function drip(contentType: string) {
  let isCancelled = false;
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new Uint8Array([32])),
    cancel: () => {
      isCancelled = true;
    },
  });
  const answer = new Response(body, { headers: { 'content-type': contentType } });
  return { answer, isCancelled: () => isCancelled };
}

test('aborts a response that does not end within a minute [N9]', async () => {
  const clock = createFakeClock();
  const { answer, isCancelled } = drip('application/json');
  const response = await createBoundedFetch({ ...sendTo(answer), clock })(url);
  const text = response.text().catch((error: unknown) => error);
  await clock.whenAsleep();
  clock.advance(60_000);
  expect(await text).toMatchObject({ code: 'ANSWER_TOO_SLOW' });
  expect(isCancelled()).toBe(true);
});

test('lets a stream of events last', async () => {
  const clock = createFakeClock();
  const { answer } = drip('text/event-stream; charset=utf-8');
  const response = await createBoundedFetch({ ...sendTo(answer), clock })(url);
  clock.advance(3_600_000);
  const reader = response.body?.getReader();
  expect(await reader?.read()).toMatchObject({ done: false });
  await reader?.cancel();
});

test('passes on the abort reason of the caller', async () => {
  const caller = new AbortController();
  const send: typeof fetch = (_, init) =>
    new Promise((_resolve, reject) => {
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
    });
  const asked = createBoundedFetch({ send })(url, { signal: caller.signal });
  caller.abort('enough');
  await expect(asked).rejects.toBe('enough');
});
