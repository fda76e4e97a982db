import { type JsonBounds, parseJson } from '../text/parse-json.ts';

/**
 * The body of an answer of somebody else as JSON. Throws a `RangeError` once it is longer than `mostBytes`, without
 * reading on, and a `JsonError` for anything that is not JSON, or is too deep or too much of it [F47].
 */
export async function readJson(
  response: Response,
  { mostBytes, ...bounds }: JsonBounds & { readonly mostBytes: number },
): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.byteLength;
    if (length > mostBytes) throw new RangeError(`The answer is longer than ${mostBytes} bytes.`);
    chunks.push(chunk);
  }
  return parseJson(Buffer.concat(chunks).toString('utf8'), bounds);
}
