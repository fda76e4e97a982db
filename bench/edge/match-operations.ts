import { z } from 'zod';
import { indexOperations } from '../../src/kernel/edge/index-operations.ts';
import type { Operation } from '../../src/kernel/edge/operation.ts';
import type { Route } from './work.ts';

/** A route as a declared operation. */
export function declareRoute({ id, method, path }: Route): Operation {
  return {
    id,
    method,
    path,
    summary: id,
    description: id,
    parameters: z.object({}),
    answer: {},
    scopes: [],
    errors: {},
  };
}

/** Finds all routes at a path by the matcher of the product. */
export function matchOperations(
  routes: readonly Route[],
): (
  path: string,
) => readonly { readonly route: Route; readonly variables: Readonly<Record<string, string>> }[] {
  const routeOf = new Map(routes.map((route) => [declareRoute(route), route]));
  const find = indexOperations([...routeOf.keys()]);
  return (path) =>
    find(path).flatMap(({ operation, variables }) => {
      const route = routeOf.get(operation);
      return route === undefined ? [] : { route, variables };
    });
}
