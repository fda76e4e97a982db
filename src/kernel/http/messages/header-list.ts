/**
 * Headers that the edge gives an answer beside the answer's own: name, value, name, value. They are
 * set, but for `Vary`, to which they are added.
 */
export type HeaderList = readonly string[];

/** Gives the headers to an answer of the web. A content policy that it brings, as pages do, is kept. */
export function setHeaders(headers: Headers, list: HeaderList): void {
  for (let index = 0; index < list.length; index += 2) {
    const [name = '', value = ''] = [list[index], list[index + 1]];
    if (name === 'Vary') headers.append(name, value);
    else if (name !== 'Content-Security-Policy' || !headers.has(name)) headers.set(name, value);
  }
}
