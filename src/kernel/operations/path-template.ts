/** The path of an operation: `/v1/{name=subscriptions/*}:reactivate`, taken apart. */
export type PathTemplate = {
  readonly segments: readonly PathSegment[];
  /** What follows the last colon; '' without one. */
  readonly verb: string;
};

export type PathSegment = {
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
