import { expect, it } from 'vitest';
import { findLongFunctions, mostLines } from './long-functions.ts';

const linesOf = (count: number) => 'f();\n'.repeat(count);
const find = (content: string) => findLongFunctions('a.ts', content);

it('finds functions of every kind that are too long, by their names', () => {
  const body = linesOf(mostLines - 1);
  expect(find(`function one() {\n${body}}`)).toEqual([{ line: 1, name: 'one', lines: 81 }]);
  expect(find(`\nconst two = async () => {\n${body}};`)).toMatchObject([{ line: 2, name: 'two' }]);
  expect(find(`export const three = { run() {\n${body}} };`)).toMatchObject([{ name: 'run' }]);
  expect(find(`call(() => {\n${body}});`)).toMatchObject([{ name: '' }]);
});

it('ignores short functions and long files, and finds a long function inside another', () => {
  expect(find(`function one() {\n${linesOf(mostLines - 2)}}`)).toEqual([]);
  expect(find(linesOf(500))).toEqual([]);
  const nested = `function outer() {\nconst inner = () => {\n${linesOf(mostLines)}};\n}`;
  expect(find(nested).map(({ name }) => name)).toEqual(['outer', 'inner']);
});
