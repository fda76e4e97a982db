import { parseSync, Visitor } from 'oxc-parser';

/** Methods whose time grows with the square of the text's length, and the bounded functions to call instead (N1). */
const bounded: Readonly<Record<string, string>> = {
  parse: 'parseUrl of kernel/text',
  canParse: 'parseUrl of kernel/text',
  normalize: 'normalizeText of kernel/text',
};

/** A call of a platform function without a bound on its time. */
export type UnboundedCall = {
  readonly line: number;
  /** The source text. */
  readonly text: string;
  /** What to call in its place. */
  readonly instead: string;
};

/** All calls in a TypeScript file that parse a URL which may be invalid, or that normalize a text. */
export function findUnboundedCalls(file: string, content: string): readonly UnboundedCall[] {
  const found: UnboundedCall[] = [];
  const visitor = new Visitor({
    CallExpression({ callee, start, end }) {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
      const { name } = callee.property;
      const isOfUrl = callee.object.type === 'Identifier' && callee.object.name === 'URL';
      const instead = name === 'normalize' || isOfUrl ? bounded[name] : undefined;
      if (instead === undefined) return;
      const line = content.slice(0, start).split('\n').length;
      found.push({ line, text: content.slice(start, end), instead });
    },
  });
  visitor.visit(parseSync(file, content).program);
  return found;
}
