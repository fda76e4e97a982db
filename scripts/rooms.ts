import { posix } from 'node:path';
import { parseSync } from 'oxc-parser';

/** One file that imports another, both as paths from the root of the repository. */
export type Import = { readonly from: string; readonly to: string };

/** Files and rooms of one folder that need each other in a circle. */
export type Circle = {
  readonly folder: string;
  readonly entries: readonly string[];
  /** The imports of the circle, grouped by importer and imported entry, the smallest group first: reverse or move that one. */
  readonly imports: readonly Import[];
};

/** The files of the repository that a file imports: by statements, types included, by `import()` and as worker threads. */
export function findImports(file: string, content: string): readonly Import[] {
  const { module } = parseSync(file, content);
  const requests = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.map(({ moduleRequest }) => moduleRequest?.value),
    ),
    ...module.dynamicImports.map(({ moduleRequest: { start, end } }) =>
      content.slice(start + 1, end - 1),
    ),
    ...[...content.matchAll(/new URL\('([^']+\.ts)', import\.meta\.url\)/g)].map(([, url]) => url),
  ];
  const relative = requests.filter((request) => request?.startsWith('.'));
  return [...new Set(relative)].map((request = '') => ({
    from: file,
    to: posix.join(posix.dirname(file), request),
  }));
}

/**
 * Finds circles of imports. The files and rooms of each folder must have an order in which each needs only earlier ones. A
 * room needs whatever a file in it needs. So a room may use a file beside it, such as a type that several rooms share, as
 * long as that file does not need the room.
 */
export function findCircles(imports: readonly Import[]): readonly Circle[] {
  const folders = Map.groupBy(imports.map(place), ({ folder }) => folder);
  return [...folders].flatMap(([folder, steps]) => {
    const needs = new Map<string, Set<string>>();
    for (const { one, other } of steps) {
      if (one === other) continue;
      needs.set(one, (needs.get(one) ?? new Set()).add(other));
    }
    return groupCircles(needs).map((entries) => {
      const within = steps.filter(
        ({ one, other }) => one !== other && entries.includes(one) && entries.includes(other),
      );
      const between = Map.groupBy(within, ({ one, other }) => `${one} ${other}`);
      const fewestFirst = [...between.values()].toSorted((a, b) => a.length - b.length).flat();
      return { folder, entries, imports: fewestFirst.map(({ step }) => step) };
    });
  });
}

/** The deepest folder that contains both files, and for each file the entry of that folder that it is or is in. */
function place(step: Import) {
  const [from, to] = [step.from.split('/'), step.to.split('/')];
  const depth = from.findIndex((part, index) => part !== to[index]);
  const [one = '', other = ''] = [from[depth], to[depth]];
  return { folder: from.slice(0, depth).join('/'), one, other, step };
}

/** Entries that reach each other, in the order of their names. */
function groupCircles(needs: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const reached = new Map([...needs.keys()].map((entry) => [entry, reach(entry)]));
  function reach(start: string): ReadonlySet<string> {
    const seen = new Set<string>();
    const open = [start];
    for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
      for (const next of needs.get(entry) ?? []) {
        if (seen.has(next)) continue;
        seen.add(next);
        open.push(next);
      }
    }
    return seen;
  }
  const circles = new Map<string, string[]>();
  for (const [entry, all] of reached) {
    if (!all.has(entry)) continue;
    const circle = [...all].filter((other) => reached.get(other)?.has(entry)).toSorted();
    circles.set(circle.join(' '), circle);
  }
  return [...circles.values()];
}
