import type { Readable } from 'node:stream';
import { type Visitor, visit } from './stand-in-browser.ts';

/**
 * Plays the person at a program that prints where to sign in: opens that address in the stand-in
 * browser, and then the one that the person is redirected to. Resolves once the program has its code.
 */
export async function followSignIn(
  output: Readable,
  options: { readonly server: string; readonly visitor: Visitor },
): Promise<void> {
  const { server, visitor } = options;
  const printed = new RegExp(`${server}/authorize\\?\\S+(?=\\s)`);
  const address = await new Promise<string>((resolve) => {
    let text = '';
    output.on('data', (chunk) => {
      text += chunk;
      const [found] = printed.exec(text) ?? [];
      if (found !== undefined) resolve(found);
    });
  });
  await fetch(await visit(address, visitor));
}
