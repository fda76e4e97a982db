import { describe, expect, it } from 'vitest';
import { findCircles, findImports, type Import } from './rooms.ts';

const imports = (...lines: string[]): Import[] =>
  lines.map((line) => {
    const [from = '', to = ''] = line.split(' > ');
    return { from, to };
  });

describe('findImports', () => {
  it('finds statements, types, exports, import() and the files of threads', () => {
    const content = `
      import { a } from './a.ts';
      import type { B } from '../b/b.ts';
      export { c } from './c.ts';
      import 'viem';
      const d = () => import('./d.ts');
      const e = new Worker(new URL('./e.ts', import.meta.url));`;
    expect(findImports('src/swap/x.ts', content).map(({ to }) => to)).toEqual([
      'src/swap/a.ts',
      'src/b/b.ts',
      'src/swap/c.ts',
      'src/swap/d.ts',
      'src/swap/e.ts',
    ]);
  });
});

describe('findCircles', () => {
  it('finds rooms that need each other through different files', () => {
    const steps = imports(
      'src/swap/pools/discover.ts > src/swap/deployments/deployment.ts',
      'src/swap/deployments/chain.ts > src/swap/pools/kinds.ts',
      'src/swap/deployments/other.ts > src/swap/pools/kinds.ts',
    );
    expect(findCircles(steps)).toEqual([
      { folder: 'src/swap', entries: ['deployments', 'pools'], imports: steps },
    ]);
  });

  it('finds a circle over two rooms and a file beside them', () => {
    const steps = imports('s/a/1.ts > s/b/1.ts', 's/b/2.ts > s/c.ts', 's/c.ts > s/a/2.ts');
    expect(findCircles(steps).map(({ entries }) => entries)).toEqual([['a', 'b', 'c.ts']]);
  });

  it('allows a room to use a noun beside it while others beside it use the room', () => {
    const steps = imports('s/pools/read.ts > s/address.ts', 's/create-swap.ts > s/pools/read.ts');
    expect(findCircles(steps)).toEqual([]);
  });
});
