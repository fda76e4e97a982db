import { tokenizeFilter } from './tokenize-filter.ts';

/** What a subscription must have. `all` and `any` have at least two members. */
export type Filter =
  | { readonly kind: 'all'; readonly of: readonly Filter[] }
  | { readonly kind: 'any'; readonly of: readonly Filter[] }
  | { readonly kind: 'eventType'; readonly value: string }
  | { readonly kind: 'targetResource'; readonly value: string };

export type ParsedFilter =
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
