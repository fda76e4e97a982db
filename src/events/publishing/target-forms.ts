import { fitsPattern } from '../applications/target-pattern.ts';

/**
 * The targets that subscriptions to an event may have. For each pattern of its application that
 * fits the subject or one of its ancestors, these are the name itself and its forms with `-` for
 * segments that are a placeholder as a whole (E14.6, E14.7). Each is returned once.
 */
export function targetForms(subject: string, patterns: readonly string[]): string[] {
  const segments = subject.split('/');
  const forms = patterns.flatMap((pattern) => formsOf(segments, pattern.split('/')));
  return [...new Set(forms)];
}

function formsOf(segments: readonly string[], wanted: readonly string[]): string[] {
  let forms: string[] | undefined;
  for (const [index, pattern] of wanted.entries()) {
    const segment = segments[index];
    if (segment === undefined) return [];
    const isPlaceholder = wholePlaceholder.test(pattern);
    const fits = isPlaceholder ? segment !== '' : fitsPattern(segment, pattern);
    if (!fits) return [];
    const spellings = isPlaceholder ? [segment, '-'] : [segment];
    forms =
      forms?.flatMap((form) => spellings.map((spelling) => `${form}/${spelling}`)) ?? spellings;
  }
  return forms ?? [];
}

const wholePlaceholder = /^\{\w+\}$/;
