import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createDataDir } from './create-data-dir.ts';

/** A disk of its own for a test, which can be filled to its last byte. */
export type SmallDisk = {
  readonly path: string;
  fill(): void;
  /** Removes the file that `fill` wrote. */
  clear(): void;
};

export function openSmallDisk({ megabytes = 32 } = {}): SmallDisk {
  const path = createDataDir();
  mount(path, megabytes);
  onTestFinished(() => void execFileSync('umount', ['-l', path]));
  const filler = join(path, 'filler');
  return {
    path,
    fill() {
      const file = openSync(filler, 'a');
      const block = Buffer.alloc(4_096);
      try {
        for (;;) writeSync(file, block);
      } catch {
        closeSync(file); // expected: the disk is full
      }
    },
    clear: () => rmSync(filler),
  };
}

function mount(path: string, megabytes: number): void {
  // Nobody else may write there: root works in no directory of everybody.
  const size = `size=${megabytes}m,mode=755`;
  execFileSync('mount', ['-t', 'tmpfs', '-o', size, 'tmpfs', path], { stdio: 'ignore' });
}
