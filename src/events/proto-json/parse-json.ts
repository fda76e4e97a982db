import { invalidArgument } from '../invalid-argument.ts';

/** Protocol buffers are read no deeper, and what is read may then be walked through by recursion. */
const deepestNesting = 100;

/** The JSON of a body. Throws `INVALID_ARGUMENT` with the reason for what is none, or nested too deep. */
export function parseJson(text: string, reason: string): unknown {
  const refuse = (description: string) => invalidArgument([{ field: 'body', description }], reason);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refuse('must be JSON');
  }
  if (isDeeper(value, deepestNesting)) throw refuse(`is nested deeper than ${deepestNesting}`);
  return value;
}

function isDeeper(value: unknown, than: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (than === 0) return true;
  return Object.values(value).some((member) => isDeeper(member, than - 1));
}
