import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { solveLaplacian } from './solve-laplacian.ts';

/** The currents that potentials drive through a network, node by node. */
function currentsOf(conductance: Float64Array, potentials: Float64Array, n: number): number[] {
  return Array.from({ length: n }, (_, node) => {
    let current = 0;
    for (let other = 0; other <= n; other++) {
      const between = conductance[node * (n + 1) + other]!;
      current += between * (potentials[node]! - (other === n ? 0 : potentials[other]!));
    }
    return current;
  });
}

function networkOf(n: number, wires: readonly (readonly [number, number, number])[]): Float64Array {
  const conductance = new Float64Array((n + 1) ** 2);
  for (const [a, b, value] of wires) {
    if (a === b) continue;
    conductance[a * (n + 1) + b]! += value;
    conductance[b * (n + 1) + a]! += value;
  }
  return conductance;
}

describe('solveLaplacian', () => {
  it('adds resistances in series', () => {
    const current = Float64Array.of(6, 0, 0);
    solveLaplacian(
      networkOf(2, [
        [0, 1, 2],
        [1, 2, 3],
      ]),
      current,
      2,
    );
    expect([...current]).toEqual([5, 2, 0]);
  });

  it('leaves a node at zero that has no way to the ground', () => {
    const current = Float64Array.of(1, 0);
    solveLaplacian(new Float64Array(4), current, 1);
    expect(current[0]).toBe(0);
  });

  it('keeps its digits however far apart the conductances lie', () => {
    const n = 6;
    const wire = fc.tuple(
      fc.integer({ min: 0, max: n }),
      fc.integer({ min: 0, max: n }),
      fc.integer({ min: -12, max: 12 }).map((power) => 10 ** power),
    );
    fc.assert(
      fc.property(
        fc.array(wire, { minLength: 4, maxLength: 20 }),
        fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: n, maxLength: n }),
        (wires, currents) => {
          // A wire from each node to the ground connects the network.
          const whole = [...wires, ...currents.map((_, node) => [node, n, 1e-3] as const)];
          const potentials = Float64Array.of(...currents, 0);
          solveLaplacian(networkOf(n, whole), potentials, n);
          const driven = currentsOf(networkOf(n, whole), potentials, n);
          const scale = Math.max(...potentials) * 1e12;
          driven.forEach((current, node) => {
            expect(Math.abs(current - currents[node]!)).toBeLessThanOrEqual(1e-13 * scale + 1e-9);
          });
        },
      ),
      { seed: 3, numRuns: 200 },
    );
  });
});
