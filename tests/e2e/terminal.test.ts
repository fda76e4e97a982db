import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { findProgram } from '../support/installed-programs.ts';
import { makeTemporaryDirectory } from '../support/run-tradewind.ts';
import { testsWith } from '../support/tests-with.ts';

const { test } = testsWith('script');
const clone = fileURLToPath(new URL('../..', import.meta.url));

/** `npm start` in a terminal of its own, and a request to it that is half sent. */
async function startAtTerminal() {
  const { PATH, HOME } = process.env;
  const dataDir = await makeTemporaryDirectory();
  const terminal = spawn(findProgram('script'), ['-qec', 'exec npm start', '/dev/null'], {
    cwd: clone,
    env: { PATH, HOME, TRADEWIND_DATA_DIR: dataDir, TRADEWIND_PORT: '0' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  // The end of a terminal ends what runs in it.
  onTestFinished(() => end(terminal));
  let shown = '';
  terminal.stdout.on('data', (chunk) => {
    shown += chunk;
  });
  const url = () => /is ready on (http:\/\/localhost:\d+)\s/.exec(shown)?.[1];
  await expect.poll(url).toBeDefined();
  const leftovers = () =>
    readdirSync(dataDir).filter((name) => /-wal$|-shm$|^operator\.token$/.test(name));
  expect(leftovers()).toContain('operator.token');
  return {
    terminal,
    leftovers,
    /** Resolves once the server accepts no connection any more. */
    isStopping: () => expect.poll(() => isAnswered(url()!)).toBe(false),
    type: (text: string) => terminal.stdin.write(text),
    ended: once(terminal, 'close').then(([code]) => code as number),
    underWay: await beginRequest(url()!),
  };
}

/** Begins a request, whose answer the server owes before it ends. */
async function beginRequest(url: string) {
  const headers = { Expect: '100-continue', 'Transfer-Encoding': 'chunked' };
  const begun = request(`${url}/token`, { method: 'POST', headers });
  const outcome = new Promise<string>((resolve) => {
    begun.once('response', () => resolve('answered')).once('error', () => resolve('cut off'));
  });
  begun.flushHeaders();
  await once(begun, 'continue');
  return { finish: () => begun.end('grant_type=none'), outcome };
}

const isAnswered = (url: string) =>
  fetch(url).then(
    () => true,
    () => false,
  );

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'close');
}

test('one Ctrl-C at npm start finishes the request under way, leaves nothing behind and exits 0 [F45]', async () => {
  const { type, isStopping, underWay, ended, leftovers } = await startAtTerminal();
  type('\x03');
  await isStopping();
  underWay.finish();
  expect(await underWay.outcome).toBe('answered');
  expect(await ended).toBe(0);
  expect(leftovers()).toEqual([]);
});

test('pressing Ctrl-C again and again ends it at once, and says so by the exit code [F45, H13]', async () => {
  const { type, isStopping, underWay, ended } = await startAtTerminal();
  type('\x03');
  await isStopping();
  let code: number | undefined;
  void ended.then((given) => {
    code = given;
  });
  await expect
    .poll(() => {
      if (code === undefined) type('\x03');
      return code;
    })
    .toBe(130);
  expect(await underWay.outcome).toBe('cut off');
});

test('a terminal that is closed stops the server in order [F45]', async () => {
  const { terminal, isStopping, underWay, leftovers } = await startAtTerminal();
  terminal.kill('SIGKILL');
  await isStopping();
  underWay.finish();
  expect(await underWay.outcome).toBe('answered');
  await expect.poll(leftovers).toEqual([]);
});
