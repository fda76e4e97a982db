import { dirname, posix } from 'node:path';
import { type Program, parseSync, Visitor } from 'oxc-parser';

/** How much there is to learn before the product can be changed. */
export type Shape = {
  readonly files: number;
  readonly lines: number;
  readonly medianLines: number;
  /** Files of at most 20 lines, in percent. */
  readonly smallFiles: number;
  /** Files of more than 400 lines. */
  readonly longFiles: number;
  readonly importsPer100Lines: number;
  readonly exportedFunctions: number;
  readonly exportedPer1000Lines: number;
  /** Exported functions that at most one other file imports, in percent. */
  readonly withOneUser: number;
  /** Functions that do nothing but return another. */
  readonly functionMakers: number;
  /** Functions that return an object of functions. */
  readonly objectsOfClosures: number;
  /** Types that ask for a clock. */
  readonly clocks: number;
  readonly kernelRooms: number;
  /** The longest way down from one room of the kernel to another. */
  readonly kernelFloors: number;
  readonly kernelExports: number;
  /** Folders more than three below `src`. */
  readonly deepFolders: number;
  /** Folders of fewer than three files that have no door. */
  readonly thinFolders: number;
};

type File = {
  readonly path: string;
  readonly lines: number;
  readonly imports: number;
  readonly functions: readonly string[];
  readonly exports: readonly string[];
  /** What it imports, as `path name`. */
  readonly uses: ReadonlySet<string>;
  readonly needs: ReadonlySet<string>;
  readonly makers: number;
  readonly closures: number;
  readonly clocks: number;
};

/** Measures the files of a product, given as content by path from the root of the repository. */
export function measureShape(contents: ReadonlyMap<string, string>): Shape {
  const files = [...contents].map(([path, content]) => read(path, content));
  const users = new Map<string, number>();
  for (const { uses } of files) for (const use of uses) users.set(use, (users.get(use) ?? 0) + 1);
  const lengths = files.map(({ lines }) => lines).toSorted((a, b) => a - b);
  const functions = files.flatMap((file) => file.functions.map((name) => `${file.path} ${name}`));
  const kernel = files.filter(({ path }) => path.startsWith('src/kernel/'));
  const folders = Map.groupBy(files, ({ path }) => dirname(path));
  const lines = sum(lengths);
  return {
    files: files.length,
    lines,
    medianLines: lengths[Math.floor(lengths.length / 2)] ?? 0,
    smallFiles: percent(lengths.filter((length) => length <= 20).length, files.length),
    longFiles: lengths.filter((length) => length > 400).length,
    importsPer100Lines: round((100 * sum(files.map(({ imports }) => imports))) / lines),
    exportedFunctions: functions.length,
    exportedPer1000Lines: round((1_000 * functions.length) / lines),
    withOneUser: percent(
      functions.filter((name) => (users.get(name) ?? 0) < 2).length,
      functions.length,
    ),
    functionMakers: sum(files.map(({ makers }) => makers)),
    objectsOfClosures: sum(files.map(({ closures }) => closures)),
    clocks: sum(files.map(({ clocks }) => clocks)),
    kernelRooms: new Set(kernel.map(({ path }) => roomOf(path))).size,
    kernelFloors: countFloors(kernel),
    kernelExports: sum(kernel.map(({ exports }) => exports.length)),
    deepFolders: [...folders.keys()].filter((folder) => folder.split('/').length > 4).length,
    thinFolders: [...folders].filter(([folder, within]) => isThin(folder, within)).length,
  };
}

/** What grows with what the product can do. */
const sizes = ['files', 'lines', 'exportedFunctions', 'kernelExports'] satisfies (keyof Shape)[];

/** Figures that are worse than they were by more than a hundredth, each as a sentence. Sizes may grow; a median should. */
export function findWorse(before: Shape, now: Shape): readonly string[] {
  const figures = Object.keys(before) as (keyof Shape)[];
  return figures
    .filter((figure) => !(sizes as string[]).includes(figure))
    .flatMap((figure) => {
      const isWorse =
        figure === 'medianLines'
          ? now[figure] < before[figure] * 0.99
          : now[figure] > before[figure] * 1.01;
      return isWorse ? [`${figure} was ${before[figure]} and is ${now[figure]}.`] : [];
    });
}

function read(path: string, content: string): File {
  const { program, module } = parseSync(path, content, { preserveParens: false });
  const uses = new Set<string>();
  const needs = new Set<string>();
  const note = (request: string | undefined, name: string | null | undefined) => {
    if (!request?.startsWith('.')) return;
    const target = posix.join(posix.dirname(path), request);
    needs.add(target);
    if (name) uses.add(`${target} ${name}`);
  };
  for (const { moduleRequest, entries } of module.staticImports) {
    note(moduleRequest.value, undefined);
    for (const { importName } of entries) note(moduleRequest.value, importName.name);
  }
  for (const { entries } of module.staticExports) {
    for (const { moduleRequest, importName } of entries) {
      note(moduleRequest?.value, importName.name);
    }
  }
  const exported = program.body.flatMap((statement) => namesOf(statement));
  return {
    path,
    lines: content.split('\n').length - 1,
    imports: module.staticImports.length,
    functions: exported.filter(({ isFunction }) => isFunction).map(({ name }) => name),
    exports: exported.map(({ name }) => name),
    uses,
    needs,
    ...countForms(program),
  };
}

/** The names that a statement exports, without those that it passes on from another file. */
function namesOf(statement: Program['body'][number]) {
  if (statement.type !== 'ExportNamedDeclaration' || !statement.declaration) return [];
  const { declaration } = statement;
  if (declaration.type === 'VariableDeclaration') {
    return declaration.declarations.flatMap(({ id, init }) =>
      id.type === 'Identifier' ? [{ name: id.name, isFunction: isFunction(init) }] : [],
    );
  }
  const id = 'id' in declaration ? declaration.id : null;
  const isDeclared = declaration.type === 'FunctionDeclaration';
  return id && 'name' in id ? [{ name: id.name, isFunction: isDeclared }] : [];
}

type Node = { readonly type: string };

function isFunction(node: Node | null | undefined): boolean {
  return node?.type === 'ArrowFunctionExpression' || node?.type === 'FunctionExpression';
}

/** Functions that only return a function, functions that return an object of functions, and types that ask for a clock. */
function countForms(program: Program) {
  const counts = { makers: 0, closures: 0, clocks: 0 };
  const look = (statements: readonly Node[], returned: Node | null | undefined) => {
    const inner = new Set(
      statements.flatMap((statement) =>
        statement.type === 'FunctionDeclaration' && 'id' in statement ? [nameOf(statement.id)] : [],
      ),
    );
    const isInner = (node: unknown) =>
      isFunction(node as Node) || (inner.size > 0 && inner.has(nameOf(node)));
    if (isInner(returned)) counts.makers += 1;
    if (returned?.type !== 'ObjectExpression' || !('properties' in returned)) return;
    const properties = returned.properties as readonly { readonly value?: unknown }[];
    if (properties.some(({ value }) => isInner(value))) counts.closures += 1;
  };
  const lookAtBody = (body: readonly Node[]) => {
    const last = body.findLast(({ type }) => type === 'ReturnStatement');
    look(body, last && 'argument' in last ? (last.argument as Node | null) : null);
  };
  new Visitor({
    FunctionDeclaration: ({ body }) => lookAtBody(body?.body ?? []),
    ArrowFunctionExpression: ({ body }) =>
      body.type === 'BlockStatement' ? lookAtBody(body.body) : look([], body),
    TSPropertySignature({ key }) {
      if (nameOf(key) === 'clock') counts.clocks += 1;
    },
  }).visit(program);
  return counts;
}

/** The name of an identifier, or an empty string. */
function nameOf(node: unknown): string {
  const isNamed = typeof node === 'object' && node !== null && 'name' in node;
  return isNamed ? String(node.name) : '';
}

/** A room of the kernel is a folder in it. */
const roomOf = (path: string) => path.split('/')[2] ?? '';

function countFloors(kernel: readonly File[]): number {
  const below = new Map<string, Set<string>>();
  for (const { path, needs } of kernel) {
    const rooms = below.get(roomOf(path)) ?? new Set();
    for (const target of needs) {
      if (target.startsWith('src/kernel/') && roomOf(target) !== roomOf(path)) {
        rooms.add(roomOf(target));
      }
    }
    below.set(roomOf(path), rooms);
  }
  const heights = new Map<string, number>();
  const heightOf = (room: string): number => {
    const known = heights.get(room);
    if (known !== undefined) return known;
    heights.set(room, 1);
    const height = 1 + Math.max(0, ...[...(below.get(room) ?? [])].map(heightOf));
    heights.set(room, height);
    return height;
  };
  return Math.max(0, ...[...below.keys()].map(heightOf));
}

function isThin(folder: string, within: readonly File[]): boolean {
  const doors = [`${folder}/index.ts`, `${folder}/wire.ts`];
  return within.length < 3 && !within.some(({ path }) => doors.includes(path));
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
const round = (number: number) => Math.round(number * 10) / 10;
const percent = (part: number, whole: number) => round((100 * part) / Math.max(1, whole));
