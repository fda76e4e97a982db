import { globSync, readFileSync } from 'node:fs';
import { compareRequirements } from './requirements.ts';

// Compares the numbered rules in docs/requirements with the numbers in test names and in the list of
// open gaps. Prints the problems, and fails if there are any.
const read = (pattern: string) => globSync(pattern).map((path) => readFileSync(path, 'utf8'));
const { counts, problems } = compareRequirements({
  documents: read('docs/requirements/!(open-gaps).md'),
  gaps: readFileSync('docs/requirements/open-gaps.md', 'utf8'),
  tests: [...read('{src,tests,scripts}/**/*.{test,contract}.ts')],
});

console.log(
  `requirements: ${counts.rules} rules, ${counts.tested} tested, ${counts.gaps} open gaps`,
);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
