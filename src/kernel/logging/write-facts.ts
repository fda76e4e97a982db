import { createBoundedMap } from '../collections/bounded-map.ts';
import { escapeControls } from '../text/escape-controls.ts';
import { isSecretName, redact } from './redact.ts';

/** A text without any of these needs no escapes in JSON and hides no secret: it is visible ASCII, no address. */
const beyondPlain = /[^\x21\x23-\x39\x3b-\x5b\x5d-\x7e]/;

/** The code uses a few dozen names of facts. An evicted one is formatted again. */
const namesKept = 500;

/**
 * Returns a function that writes facts as the inside of a JSON object, with secrets hidden as by {@link redact} and
 * control characters escaped. It works in one pass, since a server writes a line for each request, and a redacted
 * copy would cost more than the line.
 */
export function createFactsWriter(): (facts: object) => string {
  const names = createBoundedMap<string, { readonly begin: string; readonly isSecret: boolean }>(
    namesKept,
  );
  const nameOf = (key: string) => {
    const known = names.get(key);
    if (known !== undefined) return known;
    const name = { begin: `${escapeControls(JSON.stringify(key))}:`, isSecret: isSecretName(key) };
    names.set(key, name);
    return name;
  };

  return (facts) => {
    let written = '';
    const record: Readonly<Record<string, unknown>> = { ...facts };
    for (const key in record) {
      const value = record[key];
      const { begin, isSecret } = nameOf(key);
      const text = value === undefined ? undefined : isSecret ? hidden : writeValue(value);
      if (text === undefined) continue;
      written += written === '' ? begin + text : `,${begin}${text}`;
    }
    return written;
  };
}

const hidden = '"[hidden]"';

/** Undefined for what JSON leaves out, such as a function. */
function writeValue(value: unknown): string | undefined {
  if (typeof value === 'string' && !beyondPlain.test(value)) return `"${value}"`;
  if (typeof value === 'number') return Number.isFinite(value) ? `${value}` : 'null';
  const json: string | undefined = JSON.stringify(redact(value, 1));
  return json === undefined ? undefined : escapeControls(json);
}
