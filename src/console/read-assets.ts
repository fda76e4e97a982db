import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The picture in the tab of the browser: three lines of wind. */
const iconImage = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#2f81f7" stroke-width="2.2" stroke-linecap="round"><path d="M3 9h11a3 3 0 1 0-3-3M3 13h15a3 3 0 1 1-3 3M3 17h7a2.5 2.5 0 1 1-2.5 2.5"/></svg>
`;

/** A file that a page loads. */
type Asset = { readonly type: string; readonly text: string };

/** What the pages load, from memory. */
export type Assets = {
  /** Changes whenever one of the files does, so that the content behind a URL with this version never changes. */
  readonly version: string;
  find(name: string): Asset | undefined;
  /** A module and all that it imports, each once: what a browser fetches to run it. */
  withImports(name: string): readonly string[];
};

const script = 'text/javascript; charset=utf-8';
const here = fileURLToPath(new URL('.', import.meta.url));

/**
 * Reads the modules of `browser/` and `vendor/`, each by its path below this folder. Types are stripped
 * when a module is asked for the first time, which takes longer than reading it.
 */
export function readAssets(): Assets {
  const sources = new Map(
    ['browser', 'vendor']
      .flatMap(listModules)
      .map((name) => [name, readFileSync(here + name, 'utf8')]),
  );
  const made = new Map<string, Asset>([['icon.svg', { type: 'image/svg+xml', text: iconImage }]]);
  const hash = createHash('sha256');
  for (const text of [...made.values()].map((asset) => asset.text).concat(...sources.values()))
    hash.update(text);

  return {
    version: hash.digest('base64url').slice(0, 12),
    find(name) {
      const source = sources.get(name);
      if (source !== undefined && !made.has(name)) {
        const text = name.endsWith('.ts') ? stripTypes(source) : source;
        made.set(name, { type: script, text });
      }
      return made.get(name);
    },
    withImports(name) {
      const found = new Set([name]);
      for (const each of found) {
        for (const imported of importsOf(each, sources.get(each) ?? '')) found.add(imported);
      }
      return [...found];
    },
  };
}

function listModules(folder: string): string[] {
  return readdirSync(here + folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.[jt]s$/.test(name) && !/\.(?:test|d)\.ts$/.test(name))
    .map((name) => posix.join(folder, name.replaceAll('\\', '/')))
    .sort();
}

/** Leaves out type imports, which are stripped. Relies on how the formatter writes imports. */
function importsOf(name: string, source: string): string[] {
  const imported: string[] = [];
  let isOfTypes = false;
  for (const line of source.split('\n')) {
    if (/^(?:import|export) /.test(line)) isOfTypes = /^\w+ type /.test(line);
    const [, path] = /^(?:import|export|\}) .*'(\.[^']+)';$/.exec(line) ?? [];
    if (path !== undefined && !isOfTypes) imported.push(posix.join(posix.dirname(name), path));
  }
  return imported;
}

/**
 * A TypeScript module as browsers read it: types become spaces, so that lines and columns stay. Does not
 * check the types. At the first use Node.js warns that the function may change. The runtime is pinned, so
 * a reader could do nothing about the warning, and it is suppressed.
 */
function stripTypes(code: string): string {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(code);
  } finally {
    process.emitWarning = emitWarning;
  }
}
