import { describe, expect, it } from 'vitest';
import type { ScannedFile } from '../store/folder-store.ts';
import { diffFiles } from './scan-folder.ts';

/** `path identity [content]`, where another content is another size. */
function files(...lines: string[]): Map<string, ScannedFile> {
  return new Map(
    lines.map((line) => {
      const [path = '', identity = '', content = ''] = line.split(' ');
      const size = content.length;
      return [path, { path, identity, size, modifiedAt: `1${content.length}`, hash: '' }];
    }),
  );
}

function diff(before: Map<string, ScannedFile>, after: Map<string, ScannedFile>): string[] {
  return diffFiles(before, after).map((change) =>
    change.kind === 'moved'
      ? `moved ${change.from.path} to ${change.file.path}`
      : `${change.kind} ${change.file.path}`,
  );
}

describe('the difference of two scans [E14.14]', () => {
  it.each([
    ['nothing', files('a 1'), files('a 1'), []],
    ['a new file', files(), files('a 1'), ['created a']],
    ['a file that is gone', files('a 1'), files(), ['deleted a']],
    ['another content', files('a 1'), files('a 1 xx'), ['changed a']],
    ['another path', files('a 1'), files('b/c 1'), ['moved a to b/c']],
    ['another path and content', files('a 1'), files('b 1 x'), ['moved a to b', 'changed b']],
    ['a new file where one was', files('a 1'), files('a 2 x'), ['changed a']],
    ['the same file under a new number', files('a 1'), files('a 2'), []],
    [
      'two that change places',
      files('a 1', 'b 2'),
      files('a 2', 'b 1'),
      ['moved b to a', 'moved a to b'],
    ],
    [
      'a chain of moves',
      files('a 1', 'b 2'),
      files('b 1', 'c 2'),
      ['moved a to b', 'moved b to c'],
    ],
    ['one moved over another', files('a 1', 'b 2'), files('b 1'), ['moved a to b']],
    [
      'a new file where a moved one was',
      files('a 1'),
      files('b 1', 'a 2'),
      ['moved a to b', 'created a'],
    ],
    ['a second link to a file', files('a 1'), files('a 1', 'b 1'), ['created b']],
    ['a link that is gone', files('a 1', 'b 1'), files('a 1'), ['deleted b']],
    ['a moved link', files('a 1', 'b 1'), files('a 1', 'c 1'), ['moved b to c']],
    [
      'all of it',
      files('a 1', 'b 2', 'c 3'),
      files('A 1', 'b 2 x', 'd 4'),
      ['moved a to A', 'changed b', 'created d', 'deleted c'],
    ],
  ])('%s', (_, before, after, changes) => {
    expect(diff(before, after)).toEqual(changes);
  });

  it('sees by the hash what the time does not show', () => {
    const at = (hash: string) => {
      const file = { path: 'a', identity: '1', size: 3, modifiedAt: '5', hash };
      return new Map([['a', file]]);
    };
    expect(diff(at('x'), at('y'))).toEqual(['changed a']);
    expect(diff(at('x'), at('x'))).toEqual([]);
    expect(diff(at('x'), at(''))).toEqual([]);
  });
});
