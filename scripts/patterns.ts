import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';
import { type Expression, parseSync, Visitor } from 'oxc-parser';
import { checkSync } from 'recheck';

/** A regular expression in the source: a literal, or a call of `RegExp`, whose pattern is not known before run time. */
export type Pattern = {
  readonly line: number;
  /** The source text. */
  readonly text: string;
  readonly literal?: { readonly source: string; readonly flags: string };
};

/** All regular expressions in a file of TypeScript or JavaScript, in their order. */
export function findPatterns(file: string, content: string): readonly Pattern[] {
  const found: Pattern[] = [];
  const add = (node: { start: number; end: number }, literal?: Pattern['literal']) => {
    const line = content.slice(0, node.start).split('\n').length;
    found.push({ line, text: content.slice(node.start, node.end), ...(literal && { literal }) });
  };
  const isRegExp = (callee: Expression) => callee.type === 'Identifier' && callee.name === 'RegExp';
  const visitor = new Visitor({
    Literal(node) {
      if (!('regex' in node)) return;
      add(node, { source: node.regex.pattern, flags: node.regex.flags });
    },
    NewExpression(node) {
      if (isRegExp(node.callee)) add(node);
    },
    CallExpression(node) {
      if (isRegExp(node.callee)) add(node);
    },
  });
  visitor.visit(parseSync(file, content).program);
  return found;
}

/** In milliseconds. Only an analysis that hangs takes this long, even on a busy machine. */
const patience = 120_000;

/**
 * Why a pattern may take more than linear time to match, in words that follow "it"; undefined if it is
 * proved linear (N1). The proof examines the pattern's automaton and runs no inputs. An automaton has neither
 * lookaround assertions nor backreferences, so patterns with these are refused.
 */
export function findPatternProblem({ literal }: Pattern): string | undefined {
  if (literal === undefined) return 'is made at run time, where nobody checks it: write a literal';
  const { source, flags } = literal;
  const { isProvable, isPlain, shrunk } = inspect(source, flags);
  if (!isProvable) return 'looks around or refers back, of which nothing can be proved';
  if (isPlain) return undefined;
  // The JavaScript backend: the quicker backends of this analyser exist only for some platforms.
  process.env.RECHECK_SYNC_BACKEND = 'pure';
  const judgement = checkSync(shrunk, flags, {
    checker: 'automaton',
    timeout: patience,
    maxNFASize: 1_000_000,
  });
  if (judgement.status === 'safe') return undefined;
  return judgement.status === 'unknown'
    ? 'is too complicated for a proof: make it simpler'
    : `takes ${judgement.complexity.summary} to match`;
}

/** The properties of a pattern that decide how it is checked. */
type Inspection = {
  /** False with lookaround assertions or backreferences. */
  readonly isProvable: boolean;
  /** Linear without a proof: it repeats no variable part, and has no unbounded quantifier, or one and an anchor at the start. */
  readonly isPlain: boolean;
  /** The pattern with counts of at most 2. `x{0,255}` costs at most 255 times as much as `x`, so it is as linear. */
  readonly shrunk: string;
};

function inspect(source: string, flags: string): Inspection {
  const mode = { unicode: flags.includes('u'), unicodeSets: flags.includes('v') };
  const tree = new RegExpParser().parsePattern(source, 0, source.length, mode);
  const counts: { start: number; end: number; text: string }[] = [];
  let isProvable = true;
  let loops = 0;
  let isNested = false;
  visitRegExpAST(tree, {
    onQuantifierEnter({ element, end, min, max, greedy }) {
      isNested ||= max > 1 && hasVariable(element);
      if (max === Number.POSITIVE_INFINITY) loops += 1;
      if (source[element.end] !== '{') return;
      // A counted repetition of a variable part can split a text in too many ways: it is as bad as an unbounded one.
      const isEndless = max === Number.POSITIVE_INFINITY || (max > 2 && hasVariable(element));
      const most = isEndless ? '' : Math.min(max, 2);
      const text = `{${Math.min(min, 2)},${most}}${greedy ? '' : '?'}`;
      counts.push({ start: element.end, end, text });
    },
    onAssertionEnter({ kind }) {
      if (kind === 'lookahead' || kind === 'lookbehind') isProvable = false;
    },
    onBackreferenceEnter() {
      isProvable = false;
    },
  });
  const isAnchored =
    !flags.includes('m') &&
    tree.alternatives.every(
      ({ elements: [first] }) => first?.type === 'Assertion' && first.kind === 'start',
    );
  const isPlain = !isNested && (loops === 0 || (loops === 1 && isAnchored));
  const lastFirst = counts.toSorted((one, other) => other.start - one.start);
  const shrunk = lastFirst.reduce(
    (text, count) => text.slice(0, count.start) + count.text + text.slice(count.end),
    source,
  );
  return { isProvable, isPlain, shrunk };
}

/** Whether a repeated part is variable: it can match in several ways. */
function hasVariable(node: AST.Node): boolean {
  let isFound = false;
  const see = ({ alternatives }: AST.Group | AST.CapturingGroup) => {
    isFound ||= alternatives.length > 1;
  };
  visitRegExpAST(node, {
    onQuantifierEnter({ min, max }) {
      isFound ||= min !== max;
    },
    onGroupEnter: see,
    onCapturingGroupEnter: see,
  });
  return isFound;
}
