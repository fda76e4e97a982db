import { parseSync, Visitor } from 'oxc-parser';

/** A longer function does not fit on a screen: at its end a reader has forgotten the beginning. */
export const mostLines = 80;

/** A function that a reader cannot take in at once. */
export type LongFunction = {
  readonly line: number;
  /** The declared name, or an empty string. */
  readonly name: string;
  readonly lines: number;
};

type Node = { readonly type: string; readonly start: number; readonly end: number };

/** The functions of a file of TypeScript that take more than {@link mostLines}, from their first line to their last. */
export function findLongFunctions(file: string, content: string): readonly LongFunction[] {
  const found: LongFunction[] = [];
  const names = new Map<number, string>();
  const lineOf = (position: number) => content.slice(0, position).split('\n').length;
  const look = ({ start, end }: Node, name = names.get(start) ?? '') => {
    const line = lineOf(start);
    const lines = lineOf(end) - line + 1;
    if (lines > mostLines) found.push({ line, name, lines });
  };
  const nameOf = (key: { readonly type: string }) =>
    'name' in key && typeof key.name === 'string' ? key.name : '';
  const visitor = new Visitor({
    VariableDeclarator: ({ id, init }) => void (init && names.set(init.start, nameOf(id))),
    Property: ({ key, value }) => void names.set(value.start, nameOf(key)),
    FunctionDeclaration: (node) => look(node, node.id?.name),
    FunctionExpression: (node) => look(node),
    ArrowFunctionExpression: (node) => look(node),
  });
  visitor.visit(parseSync(file, content).program);
  return found;
}
