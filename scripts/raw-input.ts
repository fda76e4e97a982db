import { parseSync, Visitor } from 'oxc-parser';

/** A place where code does with a text what throws for some texts, or reads a request past the listener. */
export type RawInput = { readonly line: number; readonly what: string };

/** They throw for a text that is not what they expect. */
const throwing = new Set(['decodeURI', 'decodeURIComponent', 'BigInt', 'URL']);
/** What Node.js has of a request: only the listener and the direct way may look at it. */
const unread = new Set(['url', 'headers', 'rawHeaders', 'headersDistinct']);

/**
 * Finds `new URL`, `decodeURIComponent`, `BigInt`, `JSON.parse` and `toISOString` on anything but a literal, and reads of an
 * `incoming` request of Node.js (N16).
 */
export function findRawInput(file: string, content: string): readonly RawInput[] {
  const found: RawInput[] = [];
  const add = (start: number, what: string) =>
    found.push({ line: content.slice(0, start).split('\n').length, what });
  const visitor = new Visitor({
    NewExpression({ callee, start, arguments: [first] }) {
      const isURL = callee.type === 'Identifier' && throwing.has(callee.name);
      if (isURL && first?.type !== 'Literal') add(start, 'new URL');
    },
    CallExpression({ callee, start, arguments: [first] }) {
      if (first?.type === 'Literal') return;
      if (callee.type === 'Identifier' && throwing.has(callee.name)) add(start, callee.name);
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
      const { object, property } = callee;
      const isJson = object.type === 'Identifier' && object.name === 'JSON';
      if (isJson && property.name === 'parse') add(start, 'JSON.parse');
      if (property.name === 'toISOString') add(start, 'toISOString');
    },
    MemberExpression({ object, property, start }) {
      if (object.type !== 'Identifier' || property.type !== 'Identifier') return;
      if (object.name === 'incoming' && unread.has(property.name)) {
        add(start, `incoming.${property.name}`);
      }
    },
  });
  visitor.visit(parseSync(file, content).program);
  return found;
}
