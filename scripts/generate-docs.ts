import { readFileSync, writeFileSync } from 'node:fs';
import { renderConfigurationPage } from './render-configuration-page.ts';

// Writes the documents that are made from the code. With --check it only compares, and fails where
// a committed document is not what the code says now.
const pages = { 'docs/configuration.md': renderConfigurationPage() };

const isCheck = process.argv.includes('--check');
for (const [path, page] of Object.entries(pages)) {
  if (!isCheck) writeFileSync(path, page);
  else if (readFileSync(path, 'utf8') !== page) {
    console.error(`${path} is not what the code says: run npm run generate and commit it`);
    process.exitCode = 1;
  }
}
