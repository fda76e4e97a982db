import { stripTypeScriptTypes } from 'node:module';

/**
 * A TypeScript module as browsers read it: types become spaces, so that lines and columns stay. Does not
 * check the types. Node.js warns at the first use that the function may change; the runtime is pinned,
 * so nobody who reads the warning could act on it, and it is left out.
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
