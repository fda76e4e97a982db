import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { dataFileNames } from '../../src/kernel/process/data-directory.ts';
import { createDataDir } from '../support/create-data-dir.ts';
import {
  commandsByDataDir,
  createForeignDir,
  describeFiles,
  isRoot,
  ownersIn,
  type PlantedKind,
  plant,
  plantedKinds,
  stranger,
} from '../support/foreign-data-dir.ts';
import { runTradewind } from '../support/run-tradewind.ts';
import { serveHttp } from '../support/serve-http.ts';
import { testsWith } from '../support/tests-with.ts';

const third = 65_533;
/** Only what hangs takes this long. */
const deadlineMs = 120_000;

/** Runs the real command line as root, in a process of its own, since root that is given up does not come back. */
async function asRoot(line: readonly string[], environment: Record<string, string> = {}) {
  const run = runTradewind(line, {
    TRADEWIND_PORT: '0',
    TRADEWIND_DEVCHAIN: 'off',
    TRADEWIND_KEYRING: 'off',
    ...environment,
  });
  const timer = setTimeout(() => run.process.kill('SIGKILL'), deadlineMs);
  const code = await run.ended;
  clearTimeout(timer);
  const { stdout, stderr } = run.output();
  return { code, text: `${stdout}${stderr}` };
}

/** What the tests of a file share: a folder of root with a file of root, and a whole backup. */
type World = {
  readonly folder: string;
  /** Another folder of root, for what is made. */
  readonly outputs: string;
  readonly canary: string;
  readonly backup: string;
  readonly server: string;
  readonly authorizations: (string | undefined)[];
};

async function openWorld(): Promise<World> {
  const folder = createDataDir();
  const canary = join(folder, 'canary.db');
  const database = new DatabaseSync(canary);
  database.exec("CREATE TABLE ours (a TEXT); INSERT INTO ours VALUES ('of root')");
  database.close();
  chmodSync(canary, 0o644);
  const backup = join(folder, 'whole.backup');
  const dataDir = createForeignDir();
  expect(await asRoot(['keys', 'reseal', '--data-dir', dataDir])).toMatchObject({ code: 0 });
  expect(await asRoot(['backup', backup, '--data-dir', dataDir])).toMatchObject({ code: 0 });
  const authorizations: (string | undefined)[] = [];
  const server = await serveHttp((request, response) => {
    authorizations.push(request.headers.authorization);
    response.writeHead(404).end('{}');
  });
  return { folder, outputs: createDataDir(), canary, backup, server, authorizations };
}

/** A line for each command that takes `--data-dir`. */
function linesOf({ outputs, backup, server }: World): Record<string, readonly string[][]> {
  const asManager = ['--server', server, '--no-browser'];
  return {
    serve: [['serve', '--log-level', 'error']],
    backup: [['backup', join(outputs, 'made.backup'), '--overwrite']],
    restore: [['restore', backup, '--overwrite']],
    doctor: [['doctor']],
    keys: [
      ['keys', 'reseal'],
      ['keys', 'list', ...asManager],
    ],
    clients: [['clients', 'list', ...asManager]],
    people: [['people', 'list', ...asManager]],
    sessions: [['sessions', 'list', ...asManager]],
    resources: [['resources', 'list', ...asManager]],
  };
}

/** A line for each other command. `TRADEWIND_DATA_DIR` says where they keep grants. */
function otherLines(server: string): Record<string, readonly string[]> {
  const at = ['--server', server];
  return {
    quote: ['quote', '1', 'ETH', 'USDC', ...at],
    price: ['price', '1', 'ETH', 'USDC', ...at],
    chains: ['chains', ...at],
    router: ['router', 'check', '--chain', '1', ...at],
    mcp: ['mcp', '--stdio', ...at],
    login: ['login', server, '--no-browser'],
    logout: ['logout', server],
    whoami: ['whoami', server],
    token: ['token', server],
    tools: ['tools', server],
    call: ['call', server, 'a'],
    subscribe: ['subscribe', '//a/b', 'a.b', ...at],
    listen: ['listen', 'a', '--forward-to', 'http://127.0.0.1:9/', ...at],
    deliveries: ['deliveries', 'a', ...at],
    trigger: ['trigger', 'a.b', ...at],
    publish: ['publish', 'a.b', '//a/b', '{}', ...at],
    subscriptions: ['subscriptions', 'list', ...at],
    applications: ['applications', 'list', ...at],
    devchain: ['devchain', 'packages'],
    completion: ['completion', 'bash'],
  };
}

/** Every name with every kind, each with the next line, so that each line meets several of both. */
function plantings(lines: readonly (readonly string[])[]) {
  const cases: { name: string; kind: PlantedKind; line: readonly string[] }[] = [];
  for (const [place, name] of dataFileNames.entries()) {
    for (const [number, kind] of plantedKinds.entries()) {
      const line = lines[(place + number * 3) % lines.length] ?? [];
      cases.push({ name, kind, line });
    }
  }
  return cases;
}

async function eachInPairs<T>(items: readonly T[], work: (item: T) => Promise<void>) {
  const rest = items.values();
  const take = async () => {
    for (const item of rest) await work(item);
  };
  await Promise.all([take(), take()]);
}

testsWith('root').describe('as root, in a data directory of another user', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld();
  });

  test('every command is in these tests [N19]', async () => {
    const names = await commandsByDataDir();
    expect(Object.keys(linesOf(world)).sort()).toEqual(names.with.sort());
    expect(Object.keys(otherLines('')).sort()).toEqual(names.without.sort());
  });

  test('every command that takes the directory has no more rights there than its owner [N19, F26, F38]', async () => {
    for (const line of Object.values(linesOf(world)).flat()) {
      const dataDir = createForeignDir();
      await asRoot(['keys', 'reseal', '--data-dir', dataDir]);
      const token = 'a'.repeat(43);
      writeFileSync(join(dataDir, 'operator.token'), token);
      for (const name of readdirSync(dataDir)) {
        chownSync(join(dataDir, name), stranger, stranger);
        // Root may read and write it all the same; its owner may not.
        chmodSync(join(dataDir, name), 0);
      }
      const before = describeFiles(dataDir);
      world.authorizations.length = 0;
      const { code } = await asRoot([...line, '--data-dir', dataDir]);
      const isManager = line.includes('--server');
      expect(code, line.join(' ')).toBe(1);
      expect(world.authorizations.filter((sent) => sent !== undefined)).toEqual([]);
      // A restoration may replace what is there: that is a right of the directory.
      if (!line.includes('restore')) expect(describeFiles(dataDir), line.join(' ')).toEqual(before);
      expect(ownersIn(dataDir)).toEqual([stranger]);
      if (!isManager) continue;
      chmodSync(join(dataDir, 'operator.token'), 0o600);
      await asRoot([...line, '--data-dir', dataDir]);
      expect(world.authorizations).toContain(`Bearer ${token}`);
    }
  });

  test('whatever is planted under the name of a file is refused by its path, and harms no file of root [N19, F26, F38, F39]', async () => {
    const { folder, canary } = world;
    const before = describeFiles(folder);
    const cases = plantings(Object.values(linesOf(world)).flat());
    await eachInPairs(cases, async ({ name, kind, line }) => {
      const dataDir = createForeignDir();
      const path = join(dataDir, name);
      await plant(path, { kind, target: canary });
      const what = `${kind} at ${name}: ${line.join(' ')}`;
      const { code, text } = await asRoot([...line, '--data-dir', dataDir]);
      expect(code, `${what}\n${text}`).toBe(1);
      expect(text, what).toContain(path);
      expect(text, what).toMatch(/only a regular file may be there.*move it away/);
      expect(ownersIn(dataDir), what).toEqual([stranger]);
      expect(lstatSync(path).isFile(), what).toBe(false);
      expect(describeFiles(folder), what).toEqual(before);
    });
  });

  test('no other command writes through a planted directory of grants [N19, F38]', async () => {
    const { folder, server } = world;
    const before = describeFiles(folder);
    await eachInPairs(Object.values(otherLines(server)), async (line) => {
      const dataDir = createForeignDir();
      await plant(join(dataDir, 'client'), { kind: 'link', target: folder });
      await asRoot(line, { TRADEWIND_DATA_DIR: dataDir });
      expect(describeFiles(folder), line.join(' ')).toEqual(before);
      expect(ownersIn(dataDir), line.join(' ')).toEqual([stranger]);
    });
  });

  test('grants are kept as the owner of the directory they are kept in [N19]', async () => {
    const dataDir = createForeignDir();
    // The secret that forwarded events are signed with is kept there, too, and needs no sign-in.
    const line = otherLines(world.server).listen ?? [];
    await asRoot(line, { TRADEWIND_DATA_DIR: dataDir });
    expect(readdirSync(join(dataDir, 'client')).length).toBeGreaterThan(1);
    expect(ownersIn(dataDir)).toEqual([stranger]);
  });

  test('a backup in a folder of root belongs to root, appears whole and leaves nothing behind [N19, F26]', async () => {
    const dataDir = createForeignDir();
    await asRoot(['keys', 'reseal', '--data-dir', dataDir]);
    const folder = createDataDir();
    const file = join(folder, 'monday.db');
    const line = ['backup', file, '--data-dir', dataDir];
    expect(await asRoot(line)).toMatchObject({ code: 0 });
    const { uid, mode } = lstatSync(file);
    expect({ uid, mode: mode & 0o777 }).toEqual({ uid: 0, mode: 0o600 });
    expect(await asRoot(line)).toMatchObject({
      code: 1,
      text: expect.stringContaining('is there already'),
    });
    expect(await asRoot([...line, '--overwrite'])).toMatchObject({ code: 0 });
    expect(readdirSync(folder)).toEqual(['monday.db']);
    expect(readdirSync(dataDir).filter((name) => !dataFileNames.includes(name))).toEqual([]);
    const restored = createForeignDir(third);
    expect(await asRoot(['restore', file, '--data-dir', restored])).toMatchObject({ code: 0 });
    expect(ownersIn(restored)).toEqual([third]);
  });

  test('a backup that fails leaves nothing in the folder of root [N19]', async () => {
    const dataDir = createForeignDir();
    writeFileSync(join(dataDir, 'tradewind.db'), 'no database '.repeat(100));
    chownSync(join(dataDir, 'tradewind.db'), stranger, stranger);
    const folder = createDataDir();
    const run = await asRoot(['backup', join(folder, 'a.db'), '--data-dir', dataDir]);
    expect(run.code).toBe(1);
    expect(readdirSync(folder)).toEqual([]);
    expect(readdirSync(dataDir)).not.toContain(expect.stringMatching(/^backing-up/));
  });

  test('a backup goes into a folder of the same user as that user, and into none of a third [N19, F26]', async () => {
    const dataDir = createForeignDir();
    await asRoot(['keys', 'reseal', '--data-dir', dataDir]);
    const own = join(dataDir, 'own.db');
    expect(await asRoot(['backup', own, '--data-dir', dataDir])).toMatchObject({ code: 0 });
    expect(lstatSync(own).uid).toBe(stranger);
    const other = createForeignDir(third);
    const refused = await asRoot(['backup', join(other, 'a.db'), '--data-dir', dataDir]);
    expect(refused).toMatchObject({ code: 1, text: expect.stringContaining(`user ${third}`) });
    expect(readdirSync(other)).toEqual([]);
  });

  test('a backup of root is not restored from where another user could have put it [N19, F26]', async () => {
    const folder = createForeignDir(third);
    const file = join(folder, 'monday.db');
    symlinkSync(world.backup, file);
    const dataDir = createForeignDir();
    const refused = await asRoot(['restore', file, '--data-dir', dataDir]);
    expect(refused).toMatchObject({
      code: 1,
      text: expect.stringContaining('copy it to a folder of root'),
    });
    expect(readdirSync(dataDir)).toEqual([]);
    spawnSync('mkfifo', [join(world.folder, 'pipe')]);
    const waits = await asRoot(['restore', join(world.folder, 'pipe'), '--data-dir', dataDir]);
    expect(waits).toMatchObject({ code: 1, text: expect.stringContaining('is a named pipe') });
  });

  test('a server that root starts serves as the owner of its data, in no group of root [N19]', async () => {
    const dataDir = createForeignDir();
    const run = runTradewind(['serve', '--json', '--data-dir', dataDir], {
      TRADEWIND_PORT: '0',
      TRADEWIND_DEVCHAIN: 'off',
    });
    const url = `${await run.match(/"url":"([^"]+)"/)}/health`;
    const status = readFileSync(`/proc/${run.process.pid}/status`, 'utf8');
    const ids = Array.from({ length: 4 }, () => stranger).join('\t');
    expect(status).toContain(`Uid:\t${ids}`);
    expect(status).toContain(`Gid:\t${ids}`);
    expect(status).toMatch(/Groups:\s*\n/);
    expect(ownersIn(dataDir)).toEqual([stranger]);
    // Its new owner may send it signals, and the debugger would give them root's terminal.
    run.process.kill('SIGUSR1');
    await expect.poll(() => fetch(url).then(({ status }) => status)).toBe(200);
    expect(run.output().stderr).not.toContain('Debugger listening');
    // What a killed server leaves behind is what the other tests plant.
    run.process.kill('SIGKILL');
    await run.ended;
    const left = readdirSync(dataDir);
    expect(left.filter((name) => !dataFileNames.includes(name))).toEqual([]);
    expect(left).toEqual(expect.arrayContaining(['operator.token', 'master.key', 'tradewind.db']));
  });

  test('nothing is done where one user could pass root on to another, or to root [N19, F26, F38]', async () => {
    const home = createForeignDir(third);
    const victim = createForeignDir();
    symlinkSync(victim, join(home, 'data'));
    mkdirSync(join(home, 'of-root'), { mode: 0o700 });
    const open = createDataDir();
    chmodSync(open, 0o777);
    for (const dataDir of [join(home, 'data'), join(home, 'of-root'), open, join(open, 'new')]) {
      for (const line of [['keys', 'reseal'], ['restore', world.backup], ['serve']]) {
        const { code, text } = await asRoot([...line, '--data-dir', dataDir]);
        expect(code, `${line[0]} ${dataDir}: ${text}`).toBe(1);
        expect(text).toContain('run the command as the user it is for');
      }
    }
    expect([...readdirSync(victim), ...readdirSync(join(home, 'of-root'))]).toEqual([]);
    expect(readdirSync(open)).toEqual([]);
  });

  test('a directory for everybody, such as that for temporary files, serves root as before [N19]', async () => {
    const shared = createDataDir();
    chmodSync(shared, 0o1777);
    const [dataDir, file] = [join(shared, 'new'), join(shared, 'monday.db')];
    for (const line of [
      ['keys', 'reseal'],
      ['backup', file],
      ['restore', file, '--overwrite'],
    ]) {
      expect(await asRoot([...line, '--data-dir', dataDir])).toMatchObject({ code: 0 });
    }
    expect(ownersIn(shared)).toEqual([0]);
  });

  test('a directory that its owner cannot reach is named, with the way out [N19]', async () => {
    const closed = createDataDir();
    const dataDir = join(closed, 'data');
    mkdirSync(dataDir);
    chownSync(dataDir, stranger, stranger);
    chmodSync(closed, 0o700);
    const { code, text } = await asRoot(['keys', 'reseal', '--data-dir', dataDir]);
    expect(code).toBe(1);
    expect(text).toContain(`cannot reach ${dataDir}`);
    expect(text).toContain('chmod o+x');
  });

  test('swapping names while commands run hands over nothing of root [N19, F26, F38]', async () => {
    const { folder, canary } = world;
    const before = describeFiles(folder);
    const rounds = Number(process.env.TEST_ROUNDS ?? 3);
    for (let round = 0; round < rounds; round++) {
      const dataDir = createForeignDir();
      await asRoot(['keys', 'reseal', '--data-dir', dataDir]);
      const swapping = spawn(process.execPath, [swapper, dataDir, canary], {
        uid: stranger,
        gid: stranger,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      onTestFinished(() => void swapping.kill('SIGKILL'));
      await once(swapping.stdout, 'data');
      for (const line of [
        ['keys', 'reseal'],
        ['restore', world.backup, '--overwrite'],
        ['doctor'],
      ]) {
        const { code, text } = await asRoot([...line, '--data-dir', dataDir]);
        expect([0, 1], text).toContain(code);
        expect(describeFiles(folder)).toEqual(before);
      }
      swapping.kill('SIGKILL');
      await once(swapping, 'exit');
      expect(ownersIn(dataDir)).toEqual([stranger]);
    }
  });
});

const swapper = fileURLToPath(new URL('../support/children/swap-names.ts', import.meta.url));

describe('as the owner', () => {
  test('whatever is planted under the name of a file is refused by its path, and nothing waits for it [F39]', async () => {
    const uid = isRoot ? stranger : (process.getuid?.() ?? 0);
    const backup = join(createDataDir(), 'letter');
    writeFileSync(backup, 'no backup');
    chmodSync(join(backup, '..'), 0o755);
    const world = {
      folder: '',
      outputs: createDataDir(),
      backup,
      server: 'http://127.0.0.1:9',
      canary: backup,
    };
    chmodSync(world.outputs, 0o777);
    const lines = Object.values(linesOf({ ...world, authorizations: [] })).flat();
    const runs: { dataDir: string; line: readonly string[]; path: string; what: string }[] = [];
    for (const name of dataFileNames) {
      for (const kind of plantedKinds) {
        const dataDir = createForeignDir(uid);
        const path = join(dataDir, name);
        await plant(path, { kind, target: backup });
        for (const line of lines) {
          runs.push({ dataDir, line, path, what: `${kind} at ${name}: ${line.join(' ')}` });
        }
      }
    }
    const child = spawn(
      process.execPath,
      [planted, JSON.stringify(runs.map(({ dataDir, line }) => ({ dataDir, line })))],
      { ...(isRoot ? { uid, gid: uid } : {}), stdio: ['ignore', 'pipe', 'inherit'] },
    );
    onTestFinished(() => void child.kill('SIGKILL'));
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    // A line for each run: whatever hangs shows as the first that is missing.
    const timer = setTimeout(() => child.kill('SIGKILL'), 2 * deadlineMs);
    await once(child, 'close');
    clearTimeout(timer);
    const answers = output.trim().split('\n');
    for (const [index, { path, what }] of runs.entries()) {
      const { code, text } = JSON.parse(answers[index] ?? `{"code":"hangs","text":""}`);
      expect(code, `${what}\n${text}`).toBe(1);
      expect(text, what).toContain(path);
      expect(text, what).toMatch(/only a regular file may be there.*move it away/);
    }
  });
});

const planted = fileURLToPath(new URL('../support/children/run-on-planted.ts', import.meta.url));
