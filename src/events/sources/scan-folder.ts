import { createHash } from 'node:crypto';
import { createReadStream, lstatSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../kernel/wait/clock.ts';
import type { ScannedFile } from '../store/folder-store.ts';

type ScanOptions = {
  /** Files as they were known before; one with a hash may be read again. */
  readonly known: ReadonlyMap<string, ScannedFile>;
  readonly now: number;
  readonly clock: Pick<Clock, 'turn'>;
  readonly signal: AbortSignal;
};

/**
 * The resolution of modification times: at worst 10 ms on Linux, by the kernel's clock, and 2 s on FAT. Within it a
 * file may change again without looking changed.
 */
export const grainMs = 2_000;
// Files are inspected synchronously, which is many times faster, but the event loop turns after this many.
const filesAtOnce = 200;

/**
 * Every regular file below a folder. Links are neither followed nor listed. Rejects if the folder or one in it cannot
 * be read, because unreadable files are not deleted files. Leaves out files that are deleted during the scan.
 */
export async function scanFolder(
  root: string,
  { known, now, clock, signal }: ScanOptions,
): Promise<Map<string, ScannedFile>> {
  const files = new Map<string, ScannedFile>();
  const waiting = [''];
  let looked = 0;
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const entry of await readFolder(root, folder)) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) waiting.push(path);
      if (!entry.isFile()) continue;
      const file = look(root, path);
      if (file !== undefined) files.set(path, file);
      looked += 1;
      if (looked % filesAtOnce === 0) await clock.turn();
      signal.throwIfAborted();
    }
  }
  for (const [path, file] of files) {
    if (isSettled(file, now) && !isInDoubt(known.get(path), file)) continue;
    files.set(path, { ...file, hash: await hashFile(join(root, path), signal) });
  }
  return files;
}

/** Whether a change of the file after `now` would show in its modification time. */
export function isSettled({ modifiedAt }: ScannedFile, now: number): boolean {
  return BigInt(modifiedAt) <= BigInt(now - grainMs) * 1_000_000n;
}

/** The file changed so shortly before the last scan that it may have changed again with the same time. */
function isInDoubt(known: ScannedFile | undefined, file: ScannedFile): boolean {
  return known !== undefined && known.hash !== '' && known.modifiedAt === file.modifiedAt;
}

async function readFolder(root: string, folder: string) {
  try {
    return await readdir(join(root, folder), { withFileTypes: true });
  } catch (error) {
    if (folder !== '' && isMissing(error)) return [];
    throw error;
  }
}

function look(root: string, path: string): ScannedFile | undefined {
  const stats = lstatSync(join(root, path), { bigint: true, throwIfNoEntry: false });
  if (!stats?.isFile()) return undefined;
  return {
    path,
    identity: `${stats.ino}:${stats.birthtimeNs}`,
    size: Number(stats.size),
    modifiedAt: String(stats.mtimeNs),
    hash: '',
  };
}

async function hashFile(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(path, { signal })) hash.update(chunk);
  } catch (error) {
    // The file was deleted meanwhile, which the next scan finds, or it cannot be read, which does not mean that it
    // changed.
    if (signal.aborted) throw error;
    return '';
  }
  return hash.digest('base64url');
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** What happened to a file. A moved file whose content differs too is reported as moved and then as changed. */
export type FileChange =
  | { readonly kind: 'created' | 'changed'; readonly file: ScannedFile }
  | { readonly kind: 'moved'; readonly file: ScannedFile; readonly from: ScannedFile }
  | { readonly kind: 'deleted'; readonly file: ScannedFile };

export type FilesByPath = ReadonlyMap<string, ScannedFile>;

/**
 * The difference of two scans. Two files with the same identity are the same file: then another path is a move, and
 * other content a change. Another identity at the same path with the same size and time is not a change: the file
 * system has renumbered its files. Moves come first and deletions last.
 */
export function diffFiles(before: FilesByPath, after: FilesByPath): FileChange[] {
  const left = new Map<string, ScannedFile>();
  for (const file of before.values()) {
    if (after.get(file.path)?.identity !== file.identity) left.set(file.identity, file);
  }
  const moved: FileChange[] = [];
  const others: FileChange[] = [];
  const movedFrom = new Set<string>();
  for (const file of after.values()) {
    if (before.get(file.path)?.identity === file.identity) continue;
    const from = left.get(file.identity);
    if (from === undefined) continue;
    // A second path with this identity is a hard link, which counts as a file of its own.
    left.delete(file.identity);
    movedFrom.add(from.path);
    moved.push({ kind: 'moved', file, from });
    if (hasOtherContent(from, file)) others.push({ kind: 'changed', file });
  }
  const arrived = new Set(moved.map(({ file }) => file.path));
  for (const file of after.values()) {
    if (arrived.has(file.path)) continue;
    const earlier = before.get(file.path);
    if (earlier === undefined || movedFrom.has(file.path)) others.push({ kind: 'created', file });
    else if (hasOtherContent(earlier, file)) others.push({ kind: 'changed', file });
  }
  const deleted = [...before.values()]
    .filter(({ path }) => !after.has(path) && !movedFrom.has(path))
    .map((file): FileChange => ({ kind: 'deleted', file }));
  return [...moved, ...others, ...deleted];
}

function hasOtherContent(before: ScannedFile, after: ScannedFile): boolean {
  if (before.size !== after.size || before.modifiedAt !== after.modifiedAt) return true;
  return before.hash !== '' && after.hash !== '' && before.hash !== after.hash;
}
