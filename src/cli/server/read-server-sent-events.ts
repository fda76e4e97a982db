export type ServerSentEvent = { readonly id: string; readonly data: string };

/** Reads server-sent events (WHATWG HTML, section 9.2). Comments and other fields are passed over. */
export async function* readServerSentEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<ServerSentEvent> {
  const decoder = new TextDecoder();
  let text = '';
  let id = '';
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split(/\r?\n\r?\n/);
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const data: string[] = [];
      for (const line of block.split(/\r?\n/)) {
        if (line.startsWith('id:')) id = line.slice(3).trimStart();
        if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''));
      }
      if (data.length > 0) yield { id, data: data.join('\n') };
    }
  }
}
