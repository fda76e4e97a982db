import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { createDataDir } from './create-data-dir.ts';

/** A user that is neither root nor anybody on the machine. */
export const stranger = 65_534;

/** Only root can make directories of other users. */
export const isRoot = process.getuid?.() === 0;

export const plantedKinds = ['link', 'link to nothing', 'pipe', 'socket', 'directory'] as const;
export type PlantedKind = (typeof plantedKinds)[number];

/** An empty directory of another user, in one that others may only pass through. */
export function createForeignDir(uid = stranger): string {
  const parent = createDataDir();
  chmodSync(parent, 0o755);
  const path = join(parent, 'data');
  mkdirSync(path, { mode: 0o700 });
  chownSync(path, uid, uid);
  return path;
}

/** Puts something else where a file is expected, as the owner of the directory could. */
export async function plant(
  path: string,
  { kind, target }: { readonly kind: PlantedKind; readonly target: string },
): Promise<void> {
  if (kind === 'link') symlinkSync(target, path);
  if (kind === 'link to nothing') symlinkSync(`${target}-that-is-not-there`, path);
  if (kind === 'directory') mkdirSync(path);
  if (kind === 'pipe') execFileSync('mkfifo', [path]);
  if (kind === 'socket') {
    const server = createServer().listen(path);
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
  }
  lchownSync(path, stranger, stranger);
}

/** Everything about the files below a directory that a command of root could change for others. */
export function describeFiles(directory: string): Record<string, unknown> {
  return Object.fromEntries(
    readdirSync(directory).map((name) => {
      const path = join(directory, name);
      const { mode, uid, gid, mtimeMs, ino } = lstatSync(path);
      const isFile = lstatSync(path).isFile();
      const digest = isFile && createHash('sha256').update(readFileSync(path)).digest('hex');
      return [name, { mode, uid, gid, mtimeMs, ino, digest }];
    }),
  );
}

/** The owners of a directory and of everything in it, links not followed. */
export function ownersIn(directory: string): number[] {
  const within = readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    return entry.isDirectory() ? ownersIn(path) : [lstatSync(path).uid];
  });
  return [...new Set([lstatSync(directory).uid, ...within])];
}

/** The names of all commands by whether they take `--data-dir`. */
export async function commandsByDataDir(): Promise<Record<'with' | 'without', string[]>> {
  const names: Record<'with' | 'without', string[]> = { with: [], without: [] };
  for (const { name, load } of commands) {
    names['data-dir' in (await load()).options ? 'with' : 'without'].push(name);
  }
  return names;
}
