import { readFileSync, writeFileSync } from 'node:fs';
import { build } from 'vite';

// Bundles the libraries of the console's pages into one file that browsers load as it is. With --check
// it only compares, and fails where the committed files are not what the packages make now.
const directory = 'src/console/vendor';
const entry = 'scripts/console-libraries.ts';

const built = await build({
  configFile: false,
  logLevel: 'silent',
  build: {
    write: false,
    target: 'es2022',
    lib: { entry, formats: ['es'], fileName: 'preact' },
    rolldownOptions: { output: { minify: true } },
  },
});
const [code, ...others] = [built]
  .flat()
  .flatMap((result) => ('output' in result ? result.output : []))
  .flatMap((file) => (file.type === 'chunk' ? [file.code] : []));
if (code === undefined || others.length > 0) throw new Error('The libraries make no single file');

const exported = readFileSync(entry, 'utf8')
  .split('\n')
  .filter((line) => !line.startsWith('//'));
const files = {
  'preact.js': `// Made by npm run generate from scripts/console-libraries.ts.\n${code.trimEnd()}\n`,
  'preact.d.ts': `// Made by npm run generate from scripts/console-libraries.ts.\n${exported.join('\n')}`,
};

const isCheck = process.argv.includes('--check');
for (const [name, text] of Object.entries(files)) {
  const path = `${directory}/${name}`;
  if (!isCheck) writeFileSync(path, text);
  else if (readFileSync(path, 'utf8') !== text) {
    console.error(`${path} is not what the packages make: run npm run generate and commit it`);
    process.exitCode = 1;
  }
}
