import { stripTypeScriptTypes } from 'node:module';

/**
 * A TypeScript module as browsers read it: types become spaces, so that lines and columns stay. Does not
 * check the types. At the first use Node.js warns that the function may change. The runtime is pinned, so
 * a reader could do nothing about the warning, and it is suppressed.
 */
export function stripTypes(code: string): string {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(code);
  } finally {
    process.emitWarning = emitWarning;
  }
}
