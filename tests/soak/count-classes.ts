import { readFileSync } from 'node:fs';

type Snapshot = {
  readonly snapshot: {
    readonly meta: {
      readonly node_fields: readonly string[];
      readonly node_types: readonly [readonly string[], ...unknown[]];
    };
  };
  readonly nodes: readonly number[];
  readonly strings: readonly string[];
};

/** How many objects and closures a heap snapshot holds, by the name of their class or function. */
export function countClasses(path: string): Record<string, number> {
  // The format that V8 writes.
  const { snapshot, nodes, strings } = JSON.parse(readFileSync(path, 'utf8')) as Snapshot;
  const { node_fields: fields, node_types: types } = snapshot.meta;
  const [type, name] = [fields.indexOf('type'), fields.indexOf('name')];
  const [object, closure] = [types[0].indexOf('object'), types[0].indexOf('closure')];
  const counts: Record<string, number> = {};
  for (let at = 0; at < nodes.length; at += fields.length) {
    const kind = nodes[at + type];
    if (kind !== object && kind !== closure) continue;
    const text = strings[nodes[at + name] ?? 0] ?? '';
    const key = kind === closure ? `${text}()` : text;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}
