import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findWorse, measureShape, type Shape } from './shape.ts';

/**
 * Prints how much there is to learn of the product's source, and fails where a figure is worse than the one recorded in
 * `shape.json`. With `--record` the figures of today are written there.
 */
const record = join(import.meta.dirname, 'shape.json');
const files = globSync('src/**/*.ts').filter(
  (file) => !/\.(?:test|fuzz|contract)\.ts$/.test(file) && !file.startsWith('src/console/vendor/'),
);
const now = measureShape(new Map(files.map((file) => [file, readFileSync(file, 'utf8')])));
for (const [figure, value] of Object.entries(now)) console.log(`${figure.padEnd(20)} ${value}`);
if (process.argv.includes('--record')) {
  writeFileSync(record, `${JSON.stringify(now, null, 2)}\n`);
} else {
  const before: Shape = JSON.parse(readFileSync(record, 'utf8'));
  const worse = findWorse(before, now);
  for (const sentence of worse) console.error(sentence);
  if (worse.length > 0) {
    console.error(
      'Give what is new its place in a file that is there, or say in the commit why not and run node scripts/check-shape.ts --record.',
    );
    process.exitCode = 1;
  }
}
