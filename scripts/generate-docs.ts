import { readFileSync, writeFileSync } from 'node:fs';
import { describeOpenApi } from '../src/kernel/edge/open-api.ts';
import { declaredServices } from './declared-services.ts';
import { renderConfigurationPage } from './render-configuration-page.ts';
import { renderErrorsPage } from './render-errors-page.ts';
import { renderLimitsPage } from './render-limits-page.ts';

const openApi = describeOpenApi(declaredServices, 'http://localhost:8787');

// Writes the documents that are made from the code. With --check it only compares, and fails where
// a committed document is not what the code says now.
const pages = {
  'docs/configuration.md': renderConfigurationPage(),
  'docs/errors.md': renderErrorsPage(),
  'docs/limits.md': renderLimitsPage(),
  'docs/openapi.json': `${JSON.stringify(openApi, null, 2)}\n`,
};

const isCheck = process.argv.includes('--check');
for (const [path, page] of Object.entries(pages)) {
  if (!isCheck) writeFileSync(path, page);
  else if (readFileSync(path, 'utf8') !== page) {
    console.error(`${path} is not what the code says: run npm run generate and commit it`);
    process.exitCode = 1;
  }
}
