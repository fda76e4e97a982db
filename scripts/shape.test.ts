import { describe, expect, it } from 'vitest';
import { findWorse, measureShape, type Shape } from './shape.ts';

const measure = (files: Readonly<Record<string, string>>) =>
  measureShape(new Map(Object.entries(files)));

describe('measureShape', () => {
  it('counts files, lines and imports [Y7]', () => {
    const shape = measure({
      'src/a/a.ts': "import { b } from './b.ts';\nimport { c } from './c.ts';\n\nb(c);\n",
      'src/a/b.ts': `${'//\n'.repeat(401)}`,
      'src/a/c.ts': `${'//\n'.repeat(21)}`,
    });
    expect(shape).toMatchObject({ files: 3, lines: 426, medianLines: 21, longFiles: 1 });
    expect(shape).toMatchObject({ smallFiles: 33.3, importsPer100Lines: 0.5 });
  });

  it('counts exported functions, and those that one other file imports at most [Y7]', () => {
    const shape = measure({
      'src/a/a.ts':
        'export function one() {}\nexport const two = () => 1;\nexport const three = 3;\nfunction four() {}\n',
      'src/a/b.ts': "import { one, two } from './a.ts';\n",
      'src/a/index.ts': "export { two } from './a.ts';\n",
    });
    expect(shape).toMatchObject({ exportedFunctions: 2, withOneUser: 50 });
  });

  it('counts functions that only return a function, and objects of functions [Y4]', () => {
    const shape = measure({
      'src/a/a.ts': `
        export function maker() { return () => 1; }
        const curried = (a) => (b) => a + b;
        function named() { return inner; function inner() {} }
        function closures() { function open() {} return { open: open, close: 1 }; }
        const short = () => { function open() {} return { open }; };
        const arrows = () => ({ open: () => 1 });
        const data = () => ({ a: 1 });
      `,
    });
    expect(shape).toMatchObject({ functionMakers: 3, objectsOfClosures: 3 });
  });

  it('counts types that ask for a clock [Y4]', () => {
    const shape = measure({
      'src/a/a.ts': 'type A = { readonly clock: Clock };\nfunction f(a: { clock: Clock }) {}\n',
    });
    expect(shape.clocks).toBe(2);
  });

  it('counts the rooms of the kernel, their floors and what they export [Y9]', () => {
    const shape = measure({
      'src/kernel/a/a.ts': "import type { B } from '../b/b.ts';\nexport type A = B;\n",
      'src/kernel/b/b.ts': "import { c } from '../c/c.ts';\nexport type B = typeof c;\n",
      'src/kernel/c/c.ts': 'export const c = 1;\n',
      'src/kernel/d/d.ts': 'export const d = 1;\n',
    });
    expect(shape).toMatchObject({ kernelRooms: 4, kernelFloors: 3, kernelExports: 4 });
  });

  it('counts folders that lie deep, and folders of a file or two without a door [Y8]', () => {
    const shape = measure({
      'src/a/b/c/d/one.ts': '',
      'src/a/b/c/d/two.ts': '',
      'src/a/b/c/d/three.ts': '',
      'src/thin/one.ts': '',
      'src/door/index.ts': '',
    });
    expect(shape).toMatchObject({ deepFolders: 1, thinFolders: 1 });
  });
});

describe('findWorse', () => {
  it('names each figure that has grown, and a median that has fallen, but no size', () => {
    const before: Shape = measure({ 'src/a/a.ts': '//\n//\n' });
    const now = { ...before, files: 2, medianLines: 1, clocks: 1 };
    expect(findWorse(before, now)).toEqual([
      'medianLines was 2 and is 1.',
      'clocks was 0 and is 1.',
    ]);
    expect(findWorse(now, before)).toEqual([]);
  });

  it('overlooks a hundredth', () => {
    const before: Shape = { ...measure({ 'src/a/a.ts': '' }), smallFiles: 20, medianLines: 100 };
    expect(findWorse(before, { ...before, smallFiles: 20.2, medianLines: 99 })).toEqual([]);
    expect(findWorse(before, { ...before, smallFiles: 20.3, medianLines: 98 })).toHaveLength(2);
  });
});
