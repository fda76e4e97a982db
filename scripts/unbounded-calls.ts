import { parseSync, Visitor } from 'oxc-parser';

/** Methods whose time grows with the square of the text's length or with what a body holds, and the bounded functions to call instead (N1). */
const bounded: Readonly<Record<string, string>> = {
  parse: 'parseUrl of kernel/text',
  canParse: 'parseUrl of kernel/text',
  normalize: 'normalizeText of kernel/text',
  json: 'readJson of kernel/text',
};

/** A call of a platform function without a bound on its time. */
export type UnboundedCall = {
  readonly line: number;
  /** The source text. */
  readonly text: string;
  /** What to call in its place. */
  readonly instead: string;
};

/**
 * All calls in a TypeScript file that parse a URL which may be invalid, that normalize a text, or that parse a body
 * without measuring it (F47).
 */
export function findUnboundedCalls(file: string, content: string): readonly UnboundedCall[] {
  const found: UnboundedCall[] = [];
  const visitor = new Visitor({
    CallExpression({ callee, arguments: given, start, end }) {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
      const { name } = callee.property;
      const isOfUrl = callee.object.type === 'Identifier' && callee.object.name === 'URL';
      const isOfBody = name === 'json' && given.length === 0;
      const isMeant = isOfBody || name === 'normalize' || (name !== 'json' && isOfUrl);
      const instead = isMeant ? bounded[name] : undefined;
      if (instead === undefined) return;
      const line = content.slice(0, start).split('\n').length;
      found.push({ line, text: content.slice(start, end), instead });
    },
  });
  visitor.visit(parseSync(file, content).program);
  return found;
}
