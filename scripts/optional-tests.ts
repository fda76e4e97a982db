import { posix } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';

/** The one place that may choose not to run a test. */
const theWay = 'tests/support/tests-with.ts';

/** A test that is left out in a way of its own, or that needs what a machine may lack and does not say so. */
export type UnsaidSkip = { readonly file: string; readonly line: number; readonly problem: string };

type Facts = {
  readonly conditional: readonly Place[];
  readonly skipped: readonly Place[];
  readonly imports: readonly string[];
  /** What it finds by `findProgram`, and what it says it needs by `testsWith`. */
  readonly finds: readonly string[];
  readonly says: readonly string[];
};

type Place = { readonly line: number; readonly text: string };

/**
 * The problems of test files, given with everything that they import, as contents by path. Every test must be defined on
 * every machine, since a file without any counts as failed, and `testsWith` alone decides that one is skipped.
 */
export function findUnsaidSkips(contents: ReadonlyMap<string, string>): readonly UnsaidSkip[] {
  const facts = new Map([...contents].map(([file, text]) => [file, readFacts(file, text)]));
  return [...facts].flatMap(([file, { conditional, skipped, says }]) => {
    if (file === theWay || !isOfTests(file)) return [];
    const problems = [
      ...conditional.map(({ line, text }) => ({
        ...{ file, line },
        problem: `defines ${text} under a condition: a file without any test counts as failed`,
      })),
      ...skipped.map(({ line, text }) => ({ file, line, problem: `skips by ${text}, silently` })),
    ];
    if (!isTestFile(file)) return problems;
    const unsaid = [...programsOf(file, facts)].filter((name) => !says.includes(name));
    return [
      ...problems,
      ...unsaid.map((name) => ({ file, line: 1, problem: `needs ${name}, and does not say so` })),
    ];
  });
}

const isTestFile = (file: string) => /\.(?:test|fuzz)\.ts$/.test(file);
const isOfTests = (file: string) => isTestFile(file) || /\.contract\.ts$/.test(file);

/** All that a file or what it imports finds by `findProgram`. */
function programsOf(file: string, facts: ReadonlyMap<string, Facts>): ReadonlySet<string> {
  const seen = new Set([file]);
  for (const one of seen) for (const next of facts.get(one)?.imports ?? []) seen.add(next);
  const found = new Set([...seen].flatMap((one) => facts.get(one)?.finds ?? []));
  return file.startsWith('tests/strangers/') ? found.add('strangers') : found;
}

function readFacts(file: string, content: string): Facts {
  const conditional: Place[] = [];
  const skipped: Place[] = [];
  const finds: string[] = [];
  const says: string[] = [];
  let depth = 0;
  const enter = () => void depth++;
  const leave = () => void depth--;
  const lineOf = (position: number) => content.slice(0, position).split('\n').length;
  const visitor = new Visitor({
    ...{ IfStatement: enter, 'IfStatement:exit': leave },
    ...{ ConditionalExpression: enter, 'ConditionalExpression:exit': leave },
    ...{ LogicalExpression: enter, 'LogicalExpression:exit': leave },
    CallExpression(node) {
      const callee = content.slice(node.callee.start, node.callee.end);
      const line = lineOf(node.start);
      const names = node.arguments.flatMap((one) =>
        one.type === 'Literal' && typeof one.value === 'string' ? [one.value] : [],
      );
      if (callee === 'findProgram') finds.push(...names);
      if (callee === 'testsWith') says.push(...names);
      const [, defines = '', members = ''] = /^(describe|it|test)((?:\.\w+)*)$/.exec(callee) ?? [];
      const [how] = /\.(?:skipIf|runIf|skip|todo)\b/.exec(members) ?? [];
      if (how !== undefined) skipped.push({ line, text: `${defines}${how}` });
      else if (defines !== '' && depth > 0 && (members !== '' || node.arguments.length > 1)) {
        conditional.push({ line, text: `${defines}(…)` });
      }
    },
  });
  const { program, module } = parseSync(file, content);
  visitor.visit(program);
  const imports = module.staticImports
    .map(({ moduleRequest }) => moduleRequest.value)
    .filter((path) => path.startsWith('.'))
    .map((path) => posix.join(posix.dirname(file), path));
  return { conditional, skipped, imports, finds, says };
}
