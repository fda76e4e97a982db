import { targetNameOf } from '../model/customer-target.ts';
import type { Subscription } from '../model/subscription.ts';

/** What a subscription must have. `all` and `any` have at least two members. */
export type Filter =
  | { readonly kind: 'all'; readonly of: readonly Filter[] }
  | { readonly kind: 'any'; readonly of: readonly Filter[] }
  | { readonly kind: 'eventType'; readonly value: string }
  | { readonly kind: 'targetResource'; readonly value: string };

type ParsedFilter =
  | { readonly filter: Filter; readonly problem?: undefined }
  /** In words that continue "The filter …". */
  | { readonly problem: string; readonly filter?: undefined };

// Far more than a person writes, and far less than the call stack holds.
const deepestNesting = 50;

/**
 * Reads the filter of list (E3.11-E3.15):
 *
 *     filter = term { "AND" term }
 *     term   = factor { "OR" factor }
 *     factor = "(" filter ")" | "event_types" ":" STRING | "target_resource" "=" STRING
 *
 * `OR` binds tighter than `AND`. A filter without any `event_types` is refused.
 */
export function parseFilter(text: string): ParsedFilter {
  try {
    const filter = parseTokens(text);
    if (hasEventType(filter)) return { filter };
    return { problem: 'has no condition on event_types: add at least one' };
  } catch (error) {
    if (error instanceof SyntaxError) return { problem: error.message };
    throw error;
  }
}

function parseTokens(text: string): Filter {
  const tokens = tokenizeFilter(text);
  let position = 0;
  let depth = 0;

  const peek = () => tokens[position];
  const refuse = (expected: string): never => {
    const token = peek();
    const found = token === undefined ? 'ends' : `has ${shorten(token.text)}`;
    const place = token === undefined ? '' : ` at character ${token.at + 1}`;
    throw new SyntaxError(`${found}${place} where ${expected} is expected`);
  };
  const take = (kind: string, expected: string): string => {
    const token = peek();
    if (token?.kind !== kind) return refuse(expected);
    position += 1;
    return token.text;
  };
  const takeIf = (kind: string): boolean => {
    if (peek()?.kind !== kind) return false;
    position += 1;
    return true;
  };

  const readFilter = (): Filter => {
    const terms = [readTerm()];
    while (takeIf('AND')) terms.push(readTerm());
    return join('all', terms);
  };
  const readTerm = (): Filter => {
    const factors = [readFactor()];
    while (takeIf('OR')) factors.push(readFactor());
    return join('any', factors);
  };
  const readFactor = (): Filter => {
    if (!takeIf('(')) return readCondition();
    depth += 1;
    if (depth > deepestNesting) {
      throw new SyntaxError(`has parentheses nested deeper than ${deepestNesting}`);
    }
    const inner = readFilter();
    take(')', 'a closing parenthesis, AND or OR');
    depth -= 1;
    return inner;
  };
  const readCondition = (): Filter => {
    const field = peek()?.kind === 'name' ? peek()?.text : undefined;
    if (field === 'event_types' || field === 'eventTypes') {
      position += 1;
      take(':', 'a colon after event_types');
      return { kind: 'eventType', value: take('string', 'a string in double quotes') };
    }
    if (field === 'target_resource' || field === 'targetResource') {
      position += 1;
      take('=', 'an equals sign after target_resource');
      return { kind: 'targetResource', value: take('string', 'a string in double quotes') };
    }
    return refuse('event_types, target_resource or an opening parenthesis');
  };

  const filter = readFilter();
  if (position < tokens.length) refuse('AND, OR or the end');
  return filter;
}

function join(kind: 'all' | 'any', parts: readonly Filter[]): Filter {
  const [first] = parts;
  return parts.length === 1 && first !== undefined ? first : { kind, of: parts };
}

function hasEventType(filter: Filter): boolean {
  if (filter.kind === 'all' || filter.kind === 'any') return filter.of.some(hasEventType);
  return filter.kind === 'eventType';
}

function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/** A word of a filter. `kind` is the word itself for operators and signs. */
type FilterToken = {
  readonly kind: 'AND' | 'OR' | '(' | ')' | ':' | '=' | 'name' | 'string';
  /** A string without its quotes and escapes. */
  readonly text: string;
  /** Where it begins. */
  readonly at: number;
};

const word =
  /(?<sign>[():=])|(?<name>[A-Za-z_]\w*)|"(?<string>(?:[^"\\]|\\["\\])*)"|(?<unreadable>\S)/g;

/** Cuts a filter into its words. Throws a `SyntaxError` in words that continue "The filter …". */
function tokenizeFilter(text: string): FilterToken[] {
  return Array.from(text.matchAll(word), ({ groups = {}, index }) => toToken(groups, index));
}

function toToken(groups: Record<string, string | undefined>, at: number): FilterToken {
  const { sign, name, string, unreadable } = groups;
  if (unreadable !== undefined) {
    throw new SyntaxError(`cannot be read from character ${at + 1} on`);
  }
  // The expression matches exactly one of the others, and `sign` only the four signs.
  if (sign !== undefined) return { kind: sign as ':', text: sign, at };
  if (name === 'AND' || name === 'OR') return { kind: name, text: name, at };
  if (name !== undefined) return { kind: 'name', text: name, at };
  return { kind: 'string', text: (string ?? '').replaceAll(/\\(.)/g, '$1'), at };
}

/** Whether a subscription matches the filter. */
export function matchesFilter(
  filter: Filter,
  subscription: Pick<Subscription, 'eventTypes' | 'targetResource'>,
): boolean {
  switch (filter.kind) {
    case 'all':
      return filter.of.every((part) => matchesFilter(part, subscription));
    case 'any':
      return filter.of.some((part) => matchesFilter(part, subscription));
    case 'eventType':
      return subscription.eventTypes.includes(filter.value);
    case 'targetResource':
      return subscription.targetResource === targetNameOf(filter.value);
  }
}

/** The event types that a filter names. */
export function eventTypesIn(filter: Filter): readonly string[] {
  if (filter.kind === 'all' || filter.kind === 'any') return filter.of.flatMap(eventTypesIn);
  return filter.kind === 'eventType' ? [filter.value] : [];
}
