import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openListener } from '../../src/kernel/edge/listener/open-listener.ts';
import { eventually } from '../support/eventually.ts';
import { createFakeClock } from '../support/fake-clock.ts';

/** A listener on a fake clock whose every answer is a stream. */
async function open({ contentType = 'text/event-stream', early = 0 } = {}) {
  const clock = createFakeClock();
  let sleeps = 0;
  const streams: ReadableStreamDefaultController[] = [];
  let cancelled = 0;
  const listener = await openListener({
    fetch: () => {
      const body = new ReadableStream({
        start: (controller) => void streams.push(controller),
        cancel: () => void cancelled++,
      });
      return new Response(body, { headers: { 'content-type': contentType } });
    },
    host: '127.0.0.1',
    port: 0,
    trustedProxies: [],
    clock: {
      ...clock,
      sleep(milliseconds, signal) {
        // Looks for idle connections are further apart.
        if (milliseconds <= 20_000) sleeps += 1;
        return clock.sleep(Math.max(milliseconds - early, early), signal);
      },
    },
  });
  onTestFinished(() => listener.close(0));

  /** Asks for streams on one connection, each of which begins after the end of the previous. */
  const read = async (count = 1) => {
    const [opened, received] = [streams.length, { text: '' }];
    const socket = connect(listener.port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.on('data', (chunk) => (received.text += chunk));
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(count));
    await eventually(() => expect(streams.length).toBe(opened + 1));
    const stream = streams[opened]!;
    const send = async (text: string) => {
      stream.enqueue(new TextEncoder().encode(text));
      await eventually(() => expect(received.text).toContain(text));
    };
    await send('retry: 1000\n\n');
    const heartbeats = () => received.text.split('\r\n:\n\n\r\n').length - 1;
    return { socket, stream, send, heartbeats, received };
  };
  /** Lets seconds pass one by one, as they do. */
  const pass = async (seconds: number) => {
    for (let left = seconds; left > 0; left -= 1) {
      clock.advance(Math.min(left, 1) * 1_000);
      // A turn for the answers, and one for the sockets.
      await clock.turn();
      await clock.turn();
    }
  };
  return { read, pass, sleeps: () => sleeps, cancelled: () => cancelled };
}

test('a silent stream gets a heartbeat every 20 seconds [D3]', async () => {
  const { read, pass } = await open();
  const { heartbeats } = await read();
  await pass(19);
  expect(heartbeats()).toBe(0);
  for (let beats = 1; beats < 4; beats++) {
    await pass(1);
    await eventually(() => expect(heartbeats()).toBe(beats));
    await pass(19);
    expect(heartbeats()).toBe(beats);
  }
});

test.each(Array.from({ length: 11 }, (_, second) => second))(
  'a stream that sent something in second %i is never silent for more than 20 seconds [D3]',
  async (second) => {
    const { read, pass } = await open();
    const { send, heartbeats } = await read();
    await pass(second);
    await send('data: 1\n\n');
    await pass(20);
    await eventually(() => expect(heartbeats()).toBe(1));
  },
);

test('streams that send get no heartbeats, and other answers get none either [D3]', async () => {
  const { read, pass } = await open();
  const { send, heartbeats } = await read();
  for (let sent = 0; sent < 10; sent++) {
    await pass(9);
    await send(`data: ${sent}\n\n`);
  }
  expect(heartbeats()).toBe(0);
  const files = await open({ contentType: 'application/json' });
  const file = await files.read();
  await files.pass(60);
  expect(file.heartbeats()).toBe(0);
  expect(files.sleeps()).toBe(0);
});

test('a timer that ends a moment early, as those of Node.js may, leads to no second look [D3]', async () => {
  const { read, pass, sleeps } = await open({ early: 0.4 });
  const { heartbeats } = await read();
  const before = sleeps();
  for (let second = 0; second < 40; second++) {
    await pass(0.9996);
    await pass(0.0004);
  }
  expect(sleeps() - before).toBe(40);
  await eventually(() => expect(heartbeats()).toBe(2));
});

test('heartbeats of all streams take one wake a second, and none once the streams have ended [D3]', async () => {
  const { read, pass, sleeps } = await open();
  const readers = [];
  for (let opened = 0; opened < 20; opened++) {
    readers.push(await read());
    if (opened % 5 === 0) await pass(1);
  }
  const before = sleeps();
  await pass(40);
  expect(sleeps() - before).toBe(40);
  for (const { heartbeats } of readers) await eventually(() => expect(heartbeats()).toBe(2));
  for (const { socket, stream } of readers) {
    stream.close();
    await once(socket.end(), 'close');
  }
  await pass(1);
  const ended = sleeps();
  await pass(20);
  expect(sleeps()).toBe(ended);
});

test('a reader that does not take what it was sent gets no heartbeats on top of it [N5]', async () => {
  const { read, pass } = await open();
  const { socket, stream, heartbeats, received } = await read();
  socket.pause();
  const large = 'x'.repeat(16 * 1_048_576);
  stream.enqueue(new TextEncoder().encode(`data: ${large}\n\n`));
  await pass(100);
  socket.resume();
  await eventually(() => expect(received.text.length).toBeGreaterThan(large.length));
  expect(heartbeats()).toBe(0);
});

test('of streams that were requested on one connection the first begins, and is over when it closes [N5] [F62]', async () => {
  const { read, pass, sleeps, cancelled } = await open();
  const { socket } = await read(3);
  await pass(25);
  socket.destroy();
  await eventually(() => expect(cancelled()).toBe(1));
  await pass(1);
  const ended = sleeps();
  await pass(20);
  expect(sleeps()).toBe(ended);
  expect(cancelled()).toBe(1);
});
