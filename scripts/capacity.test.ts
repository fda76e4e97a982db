import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { planCapacity, readMeasuredCosts } from './capacity.ts';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

it('every figure of the capacity plan follows from a measured one [T13]', () => {
  const page = read('../docs/scale.md');
  for (const row of planCapacity(readMeasuredCosts())) expect(page).toContain(row);
});

it('the page lists every measured cost with its source [T13]', () => {
  const page = read('../docs/scale.md');
  for (const { value, from } of Object.values(readMeasuredCosts())) {
    expect(page).toContain(`| ${value} µs | ${from} |`);
  }
});
