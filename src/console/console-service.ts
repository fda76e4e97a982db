import { z } from 'zod';
import type { Operation } from '../kernel/operations/operation.ts';
import type { Service } from '../kernel/operations/service.ts';
import type { ConsolePage } from './console-page.ts';
import { consolePages } from './pages.ts';
import { testReceiverOperation } from './test-receiver.ts';

const assets: Operation = {
  id: 'showConsoleFile',
  method: 'GET',
  path: '/console/assets/{version}/{name=**}',
  summary: 'What the pages load',
  description: 'Scripts and styles of the console.',
  parameters: z.object({ version: z.string(), name: z.string() }),
  answer: { type: 'text/html' },
  scopes: [],
  errors: { 404: 'There is no such file.' },
};

/** The pages of the console as declared operations: for people, so none is in the OpenAPI document. */
export function consoleServiceFor(pages: readonly ConsolePage[]): Service {
  return {
    name: 'Console',
    description: '',
    error: z.object({}).meta({ id: 'ConsoleError' }),
    operations: [...pages.map(describePage), assets, testReceiverOperation],
  };
}

export const consoleService: Service = consoleServiceFor(consolePages);

function describePage({ path, heading, module }: ConsolePage): Operation {
  const template = path.replaceAll(/:(\w+)/g, '{$1}') as ConsolePage['path']; // still begins with a slash
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  return {
    id: `showConsole-${module.replace('.ts', '')}`,
    method: 'GET',
    path: template,
    summary: heading,
    description: 'A page for people.',
    parameters: z.object(Object.fromEntries(names.map((name) => [name, z.string()]))),
    answer: { type: 'text/html' },
    scopes: [],
    errors: {},
  };
}
