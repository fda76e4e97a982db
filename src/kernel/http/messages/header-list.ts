/**
 * Headers that the edge adds to those of an answer: name, value, name, value. Each replaces one of
 * the same name, except `Vary`, which is appended.
 */
export type HeaderList = readonly string[];

/** Sets the list on the headers of a `Response`. Keeps a content policy that is there, as on pages. */
export function setHeaders(headers: Headers, list: HeaderList): void {
  for (let index = 0; index < list.length; index += 2) {
    const [name = '', value = ''] = [list[index], list[index + 1]];
    if (name === 'Vary') headers.append(name, value);
    else if (name !== 'Content-Security-Policy' || !headers.has(name)) headers.set(name, value);
  }
}
