import { parseSync, Visitor } from 'oxc-parser';

/** What takes time that grows with the square of a text, and what does the same within bounds (N1). */
const bounded: Readonly<Record<string, string>> = {
  parse: 'parseUrl of kernel/text',
  canParse: 'parseUrl of kernel/text',
  normalize: 'normalizeText of kernel/text',
};

/** A call of the platform that has no bound of its own. */
export type UnboundedCall = {
  readonly line: number;
  /** As it stands in the file. */
  readonly text: string;
  /** What to call in its place. */
  readonly instead: string;
};

/** All calls in a file of TypeScript that read a URL which may be none, or that bring a text into a normal form. */
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
