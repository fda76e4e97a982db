import type { ScannedFile } from '../../model/scanned-file.ts';

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
