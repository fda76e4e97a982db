import { globSync, readFileSync } from 'node:fs';
import { findUnsaidSkips } from './optional-tests.ts';

/** Fails if a test may be left out in another way than by `testsWith`, or needs what a machine may lack without saying so. */
const files = globSync(['{src,scripts}/**/*.{test,fuzz,contract}.ts', 'tests/**/*.ts'], {
  exclude: ['**/node_modules/**'],
});
const problems = findUnsaidSkips(
  new Map(files.map((file) => [file, readFileSync(file, 'utf8')] as const)),
);
for (const { file, line, problem } of problems) {
  console.error(
    `${file}:${line} ${problem}.\n  Define it by testsWith of tests/support/tests-with.ts.`,
  );
}
console.log(`tests: ${files.length} files, ${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;
