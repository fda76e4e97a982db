export type ServerSentEvent = { readonly id: string; readonly data: string };

/**
 * Reads server-sent events (WHATWG HTML, section 9.2) in time linear in their length. Skips comments, other fields,
 * and ids that no header could carry back to the server. Does not bound the size of an event.
 */
export async function* readServerSentEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<ServerSentEvent> {
  let id = '';
  let data: string[] = [];
  for await (const lines of readLines(body)) {
    for (const line of lines) {
      if (line === '' && data.length > 0) yield { id, data: data.join('\n') };
      if (line === '') data = [];
      const [name, value] = splitField(line);
      if (name === 'data') data.push(value);
      if (name === 'id' && !/\p{Cc}/u.test(value)) id = value;
    }
  }
}

function splitField(line: string): [name: string, value: string] {
  const colon = line.indexOf(':');
  return colon < 0 ? [line, ''] : [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')];
}

/**
 * The lines that each part of the body completes. A line ends with a line feed, a carriage return or both, and the
 * two may arrive in different parts.
 */
async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder();
  let begun: string[] = [];
  let hasReturn = false;
  for await (const part of body) {
    const decoded = decoder.decode(part, { stream: true });
    const text = hasReturn && decoded.startsWith('\n') ? decoded.slice(1) : decoded;
    if (decoded !== '') hasReturn = decoded.endsWith('\r');
    const lines = text.split(/\r\n|\r|\n/);
    const rest = lines.pop() ?? '';
    if (lines.length > 0) {
      lines[0] = `${begun.join('')}${lines[0]}`;
      begun = [];
    }
    begun.push(rest);
    yield lines;
  }
}
