/**
 * The body of an answer as JSON. Throws a `RangeError` once it is longer than `mostBytes`, without
 * reading on, and a `SyntaxError` for anything that is not JSON.
 */
export async function readJson(response: Response, mostBytes: number): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.byteLength;
    if (length > mostBytes) throw new RangeError(`The answer is longer than ${mostBytes} bytes.`);
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}
