import { endOfText, JsonError } from './parse-json.ts';

const [quoteSign, commaSign] = [...'",'].map((sign) => sign.charCodeAt(0));
const openings = new Set([...'[{'].map((sign) => sign.charCodeAt(0)));
const closings = new Set([...']}'].map((sign) => sign.charCodeAt(0)));

/**
 * Yields the texts of the members of a JSON array, so that a long array can be parsed in steps. Does not check that a
 * member is JSON. Throws {@link JsonError} for text that is not an array.
 */
export function* splitJsonArray(text: string): Generator<string> {
  const trimmed = text.trim();
  if (!trimmed.startsWith('[') || !trimmed.endsWith(']')) throw noArray();
  const end = trimmed.length - 1;
  if (trimmed.slice(1, end).trim() === '') return;
  let depth = 0;
  let start = 1;
  for (let at = 1; at < end; at++) {
    const sign = trimmed.charCodeAt(at);
    if (sign === quoteSign) {
      at = endOfText(trimmed, at);
      if (at >= end) throw noArray();
    } else if (openings.has(sign)) depth++;
    else if (closings.has(sign)) {
      if (--depth < 0) throw noArray();
    } else if (sign === commaSign && depth === 0) {
      yield trimmed.slice(start, at);
      start = at + 1;
    }
  }
  if (depth > 0) throw noArray();
  yield trimmed.slice(start, end);
}

function noArray(): JsonError {
  return new JsonError('must be a JSON array', { isTooDeep: false });
}
