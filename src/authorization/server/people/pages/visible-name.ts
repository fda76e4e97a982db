import { normalizeText } from '../../../../kernel/text/normalize-text.ts';

/** A piece of a name; `note` says what the letter really is where it could be taken for another. */
export type NamePart = { readonly text: string; readonly note?: string };

/** Alphabets with letters that look like Latin ones (Unicode Technical Standard 39, confusables). */
const lookAlikeScripts =
  /[\p{sc=Cyrl}\p{sc=Grek}\p{sc=Armn}\p{sc=Cher}\p{sc=Copt}\p{sc=Lisu}\p{sc=Deva}]/u;
const latin = /\p{sc=Latn}/u;
/** Cyrillic and Greek letters that no reader tells from Latin ones: a word of these alone deceives too. */
const twins = /^[аеорсухѕіјһԁԛԝӏгпАВЕКМНОРСТУХЅІЈοαινρυκΑΒΕΖΗΙΚΜΝΟΡΤΥΧ]$/u;
const letter = /\p{L}/u;
/** Controls, direction marks, joiners, fillers and anything else that shows nothing or moves its neighbours. */
const unseen = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|[^\P{Zs} ]/u;
/** Enough for any honest name; a longer one could push the rest of the page away. */
const longestName = 80;

/**
 * A name that a stranger chose, made safe to judge (A11): invisible characters are named, and letters that only
 * look Latin carry their code point. A name in one honest foreign alphabet stays as it is. Does not escape
 * HTML: the page does.
 */
export function visibleName(name: string): readonly NamePart[] {
  const characters = [...normalizeText(name, 'NFC', 2 * longestName)];
  const shown = characters.slice(0, longestName);
  const letters = shown.filter((character) => letter.test(character));
  const mixes = letters.some((one) => latin.test(one));
  const isAllTwins = letters.length > 0 && letters.every((one) => twins.test(one));
  const isOdd = (character: string) =>
    unseen.test(character) ||
    // Letters of mathematics, full width and the like, which fold into plain ones.
    (letter.test(character) &&
      /^[a-z]+$/i.test(normalizeText(character, 'NFKC', longestName)) &&
      !/[a-z]/i.test(character)) ||
    ((mixes || isAllTwins) && lookAlikeScripts.test(character));

  const parts: NamePart[] = [];
  let plain = '';
  for (const character of shown) {
    if (!isOdd(character)) {
      plain += character;
      continue;
    }
    if (plain !== '') parts.push({ text: plain });
    plain = '';
    parts.push({ text: unseen.test(character) ? '' : character, note: codePointOf(character) });
  }
  if (characters.length > longestName) plain += '…';
  return plain === '' ? parts : [...parts, { text: plain }];
}

export function hasOddLetters(name: string): boolean {
  return visibleName(name).some(({ note }) => note !== undefined);
}

function codePointOf(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return `U+${hex.padStart(4, '0')}`;
}
