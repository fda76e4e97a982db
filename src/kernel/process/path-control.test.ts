import { chmodSync, lchownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { testsWith } from '../../../tests/support/tests-with.ts';
import { findPathControl } from './path-control.ts';

const [mia, noah] = [65_533, 65_534];

type Tree = Record<string, { uid?: number; gid?: number; mode?: number; link?: string }>;

/** Makes directories and links below a new directory of root, in the given order, and returns who controls a path there. */
function controlOf(path: string, tree: Tree) {
  const base = mkdtempSync(join(tmpdir(), 'path-control-'));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  for (const [name, { uid = 0, gid = uid, mode = 0o755, link }] of Object.entries(tree)) {
    const at = join(base, name);
    if (link === undefined) mkdirSync(at);
    else symlinkSync(link.replace('BASE', base), at);
    lchownSync(at, uid, gid);
    if (link === undefined) chmodSync(at, mode);
  }
  const { others, directory } = findPathControl(join(base, path));
  return { others: [...others.keys()], directory: directory.path.slice(base.length) };
}

/** Only root can make directories of other users. */
testsWith('root').describe('who controls a path', () => {
  test.each<[string, string, Tree, (number | 'anyone')[], string?]>([
    ['nobody but root, where all is root’s', 'a/b', { a: {}, 'a/b': {} }, []],
    ['nobody else, where the end is missing', 'a/b/c', { a: {} }, [], '/a'],
    ['the owner of the directory', 'a', { a: { uid: mia } }, [mia]],
    ['the owner of a directory above', 'a/b', { a: { uid: mia }, 'a/b': {} }, [mia]],
    ['both of two owners', 'a/b', { a: { uid: mia }, 'a/b': { uid: noah } }, [mia, noah]],
    ['everybody, where they may write above', 'a/b', { a: { mode: 0o777 }, 'a/b': {} }, ['anyone']],
    [
      'everybody, where they may make the directory',
      'a/b',
      { a: { mode: 0o777 } },
      ['anyone'],
      '/a',
    ],
    ['nobody else, under a sticky directory', 'a/b', { a: { mode: 0o1777 }, 'a/b': {} }, []],
    [
      'the owner of an entry of a sticky one',
      'a/b',
      { a: { mode: 0o1777 }, 'a/b': { uid: mia } },
      [mia],
    ],
    ['nobody else, where the end is missing there', 'a/b', { a: { mode: 0o1777 } }, [], '/a'],
    ['everybody, where the end itself is sticky', 'a', { a: { mode: 0o1777 } }, ['anyone']],
    ['a group', 'a/b', { a: { gid: 100, mode: 0o775 }, 'a/b': {} }, ['anyone']],
    [
      'the owner, whose own group it is',
      'a/b',
      { a: { uid: mia, mode: 0o775 }, 'a/b': { uid: mia } },
      [mia],
    ],
    [
      'whoever controls where a link leads',
      'l/b',
      { a: { uid: mia }, 'a/b': {}, l: { link: 'BASE/a' } },
      [mia],
      '/a/b',
    ],
    [
      'whoever controls the link',
      'a/l/c',
      { a: { uid: mia }, b: {}, 'b/c': {}, 'a/l': { uid: mia, link: '../b' } },
      [mia],
      '/b/c',
    ],
    [
      'the owner of a link in a sticky directory',
      'a/l',
      { a: { mode: 0o1777 }, b: {}, 'a/l': { uid: mia, link: 'BASE/b' } },
      [mia],
      '/b',
    ],
  ])('is %s [N19]', (_, path, tree, others, directory = `/${path}`) => {
    expect(controlOf(path, tree)).toEqual({ others, directory });
  });

  test('is no question in a circle of links [N19]', () => {
    expect(() => controlOf('a', { a: { link: 'b' }, b: { link: 'a' } })).toThrow('circle of links');
  });
});
