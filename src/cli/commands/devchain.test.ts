import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { planInstall } from './devchain.ts';

function makeFiles(...paths: string[]): string {
  const directory = mkdtempSync(join(tmpdir(), 'tradewind-plan-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  for (const path of paths) {
    mkdirSync(join(directory, path, '..'), { recursive: true });
    writeFileSync(join(directory, path), '{}');
  }
  return directory;
}

const wanted = ['@nomicfoundation/edr@0.13.0', 'one@1.0.0'];

it('adds the development chain to the project that the package was installed into [T9]', () => {
  const project = makeFiles('package.json', 'node_modules/tradewind/package.json');
  const plan = planInstall(join(project, 'node_modules/tradewind/'), wanted);
  expect(plan).toMatchObject({ directory: project, isThere: false });
  expect(plan.args).toEqual(expect.arrayContaining(['install', '--save-dev', ...wanted]));
});

it('installs it globally where the package is global [T9]', () => {
  const lib = makeFiles('node_modules/tradewind/package.json');
  const plan = planInstall(join(lib, 'node_modules/tradewind'), wanted);
  expect(plan.args).toEqual(expect.arrayContaining(['install', '--global', ...wanted]));
});

it('installs nothing that is there, beside the package or in a clone [T9]', () => {
  const project = makeFiles(
    'package.json',
    'node_modules/tradewind/package.json',
    'node_modules/@nomicfoundation/edr/package.json',
    'node_modules/one/package.json',
  );
  expect(planInstall(join(project, 'node_modules/tradewind'), wanted).isThere).toBe(true);
  expect(planInstall(project, wanted).isThere).toBe(true);
});
