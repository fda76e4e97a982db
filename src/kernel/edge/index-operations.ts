import type { Answer } from './answer.ts';
import { methodNotAllowed } from './edge-error.ts';
import type { Operation } from './operation.ts';
import type { Caller, EdgeRequest, Peer } from './request.ts';

/** An operation at a path, and the values of its path variables. */
export type MatchedOperation<O extends Operation = Operation> = {
  readonly operation: O;
  readonly variables: Readonly<Record<string, string>>;
};

type Place<O> = { readonly operation: O; readonly segments: readonly PathSegment[] };

type Node<O> = {
  readonly literals: Map<string, Node<O>>;
  one: Node<O> | undefined;
  rest: Node<O> | undefined;
  /** Operations that end here, by their verb. */
  readonly places: Map<string, Place<O>[]>;
};

/**
 * Finds the operations at a path, one for each method; none if none is declared. Literal text takes
 * precedence over a variable. Escapes are decoded segment by segment, so that an escaped slash
 * separates nothing except in `**`, where it makes no difference. Invalid escapes and characters that
 * PostgreSQL cannot store match no variable (E1.9-E1.11).
 */
export function indexOperations<O extends Operation>(
  operations: readonly O[],
): (path: string) => readonly MatchedOperation<O>[] {
  const root = createNode<O>();
  for (const operation of operations) {
    const { segments, verb } = parsePathTemplate(operation.path);
    let node = root;
    for (const { text } of segments) node = nodeBelow(node, text);
    const places = node.places.get(verb) ?? [];
    node.places.set(verb, [...places, { operation, segments }]);
  }
  return (path) => {
    const { segments, verb } = cut(path);
    const found = segments && find(root, { segments, verb });
    return (found ?? []).map((place) => match(place, segments ?? []));
  };
}

/** Takes a path apart; what follows a colon in its last segment is the verb. */
function cut(path: string): { segments: readonly string[] | undefined; verb: string } {
  if (path === '/') return { segments: [], verb: '' };
  const colon = path.lastIndexOf(':');
  const hasVerb = colon > path.lastIndexOf('/');
  const texts = (hasVerb ? path.slice(1, colon) : path.slice(1)).split('/').map(decode);
  const isWhole = texts.every((text) => text !== undefined && text !== '');
  const verb = hasVerb ? path.slice(colon + 1) : '';
  return { segments: isWhole ? (texts as string[]) : undefined, verb };
}

function find<O>(
  node: Node<O>,
  given: { readonly segments: readonly string[]; readonly verb: string },
  depth = 0,
): readonly Place<O>[] | undefined {
  const segment = given.segments[depth];
  if (segment === undefined) return node.places.get(given.verb);
  for (const next of [node.literals.get(segment), node.one]) {
    const found = next && find(next, given, depth + 1);
    if (found !== undefined) return found;
  }
  return node.rest?.places.get(given.verb);
}

function match<O extends Operation>(
  { operation, segments }: Place<O>,
  given: readonly string[],
): MatchedOperation<O> {
  const taken: Record<string, string[]> = {};
  for (const [index, { text, variable }] of segments.entries()) {
    if (variable === undefined) continue;
    taken[variable] ??= [];
    taken[variable].push(...given.slice(index, text === '**' ? undefined : index + 1));
  }
  const variables = Object.entries(taken).map(([name, parts]) => [name, parts.join('/')]);
  return { operation, variables: Object.fromEntries(variables) };
}

function createNode<O>(): Node<O> {
  return { literals: new Map(), one: undefined, rest: undefined, places: new Map() };
}

function nodeBelow<O>(node: Node<O>, text: string): Node<O> {
  if (text === '*') {
    node.one ??= createNode();
    return node.one;
  }
  if (text === '**') {
    node.rest ??= createNode();
    return node.rest;
  }
  const below = node.literals.get(text) ?? createNode();
  node.literals.set(text, below);
  return below;
}

function decode(segment: string): string | undefined {
  try {
    const decoded = decodeURIComponent(segment);
    return decoded.includes('\0') ? undefined : decoded;
  } catch {
    return undefined;
  }
}

/** The path of an operation: `/v1/{name=subscriptions/*}:reactivate`, taken apart. */
type PathTemplate = {
  readonly segments: readonly PathSegment[];
  /** What follows the last colon; '' without one. */
  readonly verb: string;
};

type PathSegment = {
  /** Literal text, `*` for one segment, `**` for the rest. */
  readonly text: string;
  /** The variable that captures this segment; absent for literal text of the path. */
  readonly variable?: string;
};

/** Reads a path as google.api.http writes it; `{name}` means `{name=*}`. Does not check its form. */
export function parsePathTemplate(template: string): PathTemplate {
  const [, path = '', verb = ''] = /^([^:]*)(?::(\w+))?$/.exec(template) ?? [];
  const parts = [...path.matchAll(/\{(\w+)(?:=([^}]+))?\}|[^/{}]+/g)];
  const segments = parts.flatMap(([literal, variable, pattern = '*']) =>
    variable === undefined
      ? [{ text: literal }]
      : pattern.split('/').map((text) => ({ text, variable })),
  );
  return { segments, verb };
}

/**
 * The path with a parameter for each part that varies: `/v1/subscriptions/{subscriptionsId}:reactivate`.
 * A variable of one segment keeps its name; others are named after the segment before.
 */
export function flattenPath(template: PathTemplate): string {
  const { segments, verb } = template;
  const flat = segments.map(({ text, variable }, index) => {
    if (!text.startsWith('*')) return text;
    const isAlone = segments.filter((other) => other.variable === variable).length === 1;
    return isAlone ? `{${variable}}` : `{${segments[index - 1]?.text}Id}`;
  });
  return `/${flat.join('/')}${verb === '' ? '' : `:${verb}`}`;
}

/** A request for declared operations, which the edge has matched and guarded. */
export type OperationCall = {
  readonly request: Request;
  /** The operations at the path, one for each method. */
  readonly matched: readonly MatchedOperation[];
  /** What the edge knows of the request: the part of its context that services look at. */
  readonly context: CallContext;
};

export type CallContext = {
  readonly request: EdgeRequest;
  /** Absent for a request that was made inside the process. */
  readonly peer: Peer | undefined;
  readonly caller: Caller;
};

/** Answers the operations of a service. What it throws is refused by the edge. */
export type AnswerOperation = (call: OperationCall) => Promise<Response>;

/** The parts of a GET of an operation. It carries no token. */
export type DirectCall = {
  readonly matched: MatchedOperation;
  /** What follows the question mark. */
  readonly query: string;
  readonly context: CallContext;
  /** Fires when the caller hangs up. */
  readonly signal: AbortSignal;
};

/**
 * Operations that are called so often that the web's `Request` and `Response` would cost more than the answer. The
 * service's {@link AnswerOperation} gives the same answers; the edge chooses between the two.
 */
export type DirectOperations = {
  readonly operations: ReadonlySet<Operation>;
  /** What it throws is refused by the edge. */
  answer(call: DirectCall): Promise<Answer>;
};

/** The operation that a method asks for; HEAD asks for what GET gives. Throws `METHOD_NOT_ALLOWED`. */
export function chooseOperation(
  matched: readonly MatchedOperation[],
  { method, path }: { readonly method: string; readonly path: string },
): MatchedOperation {
  const wanted = method === 'HEAD' ? 'GET' : method;
  const chosen = matched.find(({ operation }) => operation.method === wanted);
  if (chosen !== undefined) return chosen;
  const methods = matched.flatMap(({ operation }) =>
    operation.method === 'GET' ? ['GET', 'HEAD'] : operation.method,
  );
  throw methodNotAllowed({ method, path }, methods);
}
