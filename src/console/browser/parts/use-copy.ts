import { useState } from '../../vendor/preact.js';
import { after } from '../clock.ts';

/** Copies a text, and briefly says whether that worked: a browser may refuse. */
export function useCopy(text: string) {
  const [said, say] = useState('');
  const copy = async () => {
    const isCopied = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
    say(isCopied ? 'Copied' : 'Select and copy it');
    after(2_000, () => say(''));
  };
  return { said, copy };
}
