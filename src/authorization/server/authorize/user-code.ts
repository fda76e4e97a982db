import type { Random } from '../../../kernel/random/random.ts';

/** No vowels, so no words; nothing that looks like something else (RFC 8628 section 6.1). */
const letters = 'BCDFGHJKLMNPQRSTVWXZ';
/** 20^8 is 2.5e10: at the few tries a minute that the page allows nobody finds one in its lifetime. */
const length = 8;

/** A code for a person to type, as in `WDJB-MJHT`. */
export function createUserCode(random: Random): string {
  let code = '';
  while (code.length < length) {
    // Above the last multiple of 20 some letters would come more often.
    for (const byte of random.bytes(length)) {
      if (byte < 240 && code.length < length) code += letters[byte % letters.length];
    }
  }
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}

/** Normalizes a typed code: letter case, spaces and dashes make no difference. */
export function normalizeUserCode(typed: string): string {
  return typed.toUpperCase().replace(/[^A-Z]/g, '');
}
