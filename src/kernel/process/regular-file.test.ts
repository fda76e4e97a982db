import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { placeFile } from './regular-file.ts';

/** A folder with a draft in it. */
function makeDraft() {
  const folder = mkdtempSync(join(tmpdir(), 'place-file-'));
  writeFileSync(join(folder, 'draft'), 'new');
  return { draft: join(folder, 'draft'), path: join(folder, 'file') };
}

const failing = (code: string) => () => {
  throw Object.assign(new Error(code), { code });
};

it('puts the draft at the path, and replaces no existing file', () => {
  const { draft, path } = makeDraft();
  expect(placeFile(draft, path)).toBe(true);
  writeFileSync(path, 'of another process');
  expect(placeFile(draft, path)).toBe(false);
  expect(readFileSync(path, 'utf8')).toBe('of another process');
});

it.each(['EPERM', 'ENOTSUP', 'ENOSYS'])('needs no hard links where they fail with %s', (code) => {
  const { draft, path } = makeDraft();
  expect(placeFile(draft, path, failing(code))).toBe(true);
  expect(readFileSync(path, 'utf8')).toBe('new');
  writeFileSync(draft, 'newer');
  expect(placeFile(draft, path, failing(code))).toBe(false);
  expect(readFileSync(path, 'utf8')).toBe('new');
});

it('throws any other error of the file system', () => {
  const { draft, path } = makeDraft();
  expect(() => placeFile(draft, path, failing('ENOSPC'))).toThrow('ENOSPC');
});
