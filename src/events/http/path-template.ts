/** A path of the interface: `v1/{name=subscriptions/*}:reactivate`, taken apart. */
export type PathTemplate = {
  /** Literal text, `*` for one segment, `**` for the rest. */
  readonly segments: readonly { readonly text: string; readonly isNamed: boolean }[];
  /** The name of its variable; '' without one. */
  readonly variable: string;
  /** What follows the last colon; '' without one. */
  readonly verb: string;
};

/** Reads a template as google.api.http writes it, with at most one variable. */
export function parsePathTemplate(template: string): PathTemplate {
  const [, before = '', variable = '', named = '', after = '', verb = ''] =
    /^([^{]*)(?:\{(\w+)=([^}]*)\})?([^{}:]*)(?::(\w+))?$/.exec(template) ?? [];
  const cut = (text: string, isNamed: boolean) =>
    text
      .split('/')
      .filter((part) => part !== '')
      .map((part) => ({ text: part, isNamed }));
  const segments = [...cut(before, false), ...cut(named, true), ...cut(after, false)];
  return { segments, variable, verb };
}

/**
 * What the variable stands for in a path, '' without a variable; undefined where the path does not
 * fit (E1.9-E1.11). Escapes are decoded segment by segment, so that an escaped slash separates
 * nothing except in `**`, where it makes no difference.
 */
export function matchPath({ segments, verb }: PathTemplate, pathname: string): string | undefined {
  const [, path = '', givenVerb = ''] = /^\/(.*?)(?::([^:/]*))?$/.exec(pathname) ?? [];
  if (givenVerb !== verb) return undefined;
  const given = path.split('/').map(decode);
  const named: string[] = [];
  for (const [index, { text, isNamed }] of segments.entries()) {
    const isRest = text === '**';
    const taken = isRest ? given.slice(index) : given.slice(index, index + 1);
    if (taken.length === 0 || taken.some((part) => part === undefined || part === '')) {
      return undefined;
    }
    if (text !== '*' && !isRest && taken[0] !== text) return undefined;
    if (isNamed) named.push(...taken.map(String));
    if (isRest) return named.join('/');
  }
  return given.length === segments.length ? named.join('/') : undefined;
}

/** Undefined for what no name has: bad escapes, and characters that PostgreSQL cannot hold. */
function decode(segment: string): string | undefined {
  try {
    const decoded = decodeURIComponent(segment);
    return decoded.includes('\0') ? undefined : decoded;
  } catch {
    return undefined;
  }
}
