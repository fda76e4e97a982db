import { TrieRouter } from 'hono/router/trie-router';
import type { RouterRoute } from 'hono/types';

/**
 * Finds the methods that a path answers; none where nothing is served. A handler of every method,
 * such as a guard, does not count. A path that answers GET also answers HEAD.
 */
export function indexMethods(
  routes: readonly Pick<RouterRoute, 'method' | 'path'>[],
): (path: string) => readonly string[] {
  const index = new TrieRouter<readonly string[]>();
  for (const { method, path } of routes) {
    if (method === 'ALL' || method === 'HEAD') continue;
    index.add('ALL', path, method === 'GET' ? ['GET', 'HEAD'] : [method]);
  }
  return (path) => [...new Set(index.match('ALL', path)[0].flatMap(([methods]) => methods))];
}
