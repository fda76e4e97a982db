/** One of the packages that the build makes of the tree. */
export type Package = {
  readonly name: string;
  readonly description: string;
  readonly keywords: readonly string[];
  /** Where its code begins; it holds what that imports and nothing else. */
  readonly entry: string;
  readonly node: string;
  /** The page that becomes its README. */
  readonly readme: string;
  /** Versions that differ from those of the repository, which needs a newer Node.js. */
  readonly versions?: Readonly<Record<string, string>>;
  /** Imported by types alone: whoever uses them has them. */
  readonly peers?: readonly string[];
};

export const packages: readonly Package[] = [
  {
    name: 'tradewind',
    description: 'Self-hosted swap quotes, OAuth 2.1 for MCP and change notifications.',
    keywords: ['mcp', 'oauth', 'swap', 'dex-aggregator', 'webhooks', 'self-hosted'],
    entry: 'src/main.ts',
    node: '>=24',
    readme: 'README.md',
  },
  {
    name: 'tradewind-guard',
    description:
      'Protects an MCP server, or any other, by OAuth 2.1 tokens: Hono, Express, node:http.',
    keywords: ['mcp', 'oauth', 'authorization', 'middleware', 'hono', 'express'],
    entry: 'src/authorization/guard/index.ts',
    node: '>=20.18.1',
    readme: 'docs/guard.md',
    peers: ['hono'],
  },
  {
    name: 'tradewind-client',
    description: 'A fetch that obtains and keeps the OAuth 2.1 tokens that an MCP server asks for.',
    keywords: ['mcp', 'oauth', 'client', 'fetch', 'pkce', 'dpop'],
    entry: 'src/authorization/client/index.ts',
    node: '>=20.18.1',
    readme: 'docs/client.md',
    versions: { undici: '7.30.2' },
  },
];

/** What the repository says of itself. */
export type Repository = {
  readonly version: string;
  readonly license: string;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  /** Where the source is published, if that is known: npm wants it for a provenance statement. */
  readonly url?: string | undefined;
};

/**
 * The package.json of a package whose code imports `imported`. The server keeps exact versions, as it is a program; a
 * library leaves its user room. Throws where something is imported that the repository has no version of.
 */
export function manifestOf(made: Package, imported: readonly string[], repository: Repository) {
  const isProgram = made.name === 'tradewind';
  const versionOf = (name: string) => {
    const version =
      made.versions?.[name] ?? repository.dependencies[name] ?? repository.devDependencies[name];
    if (version === undefined)
      throw new Error(`${made.name} imports ${name}, which has no version`);
    return isProgram ? version : `^${version}`;
  };
  const versions = (names: readonly string[]) =>
    Object.fromEntries([...names].sort().map((name) => [name, versionOf(name)]));
  const { peers = [] } = made;
  return {
    name: made.name,
    version: repository.version,
    description: made.description,
    keywords: made.keywords,
    license: repository.license,
    ...(repository.url && {
      repository: { type: 'git', url: `git+${repository.url}.git` },
      homepage: `${repository.url}#readme`,
      bugs: `${repository.url}/issues`,
    }),
    type: 'module',
    sideEffects: isProgram,
    ...(isProgram
      ? { bin: { tradewind: 'bin/tradewind.js' }, exports: published(repository.exports) }
      : {
          types: './dist/index.d.ts',
          exports: {
            '.': { types: './dist/index.d.ts', default: './dist/index.js' },
            './package.json': './package.json',
          },
        }),
    files: isProgram ? ['bin', 'dist'] : ['dist'],
    engines: { node: made.node },
    dependencies: versions(imported),
    ...(peers.length > 0 && {
      peerDependencies: versions(peers),
      peerDependenciesMeta: Object.fromEntries(peers.map((name) => [name, { optional: true }])),
    }),
    // A statement of where it was built can be made only where that is known.
    publishConfig: { access: 'public', ...(repository.url && { provenance: true }) },
  };
}

/** Without the way to the source, which a published package has not. */
function published(exports: Repository['exports']) {
  return Object.fromEntries(
    Object.entries(exports).map(([door, target]) => {
      if (typeof target !== 'object' || target === null) return [door, target];
      const { 'tradewind-source': _source, ...rest } = target as Record<string, unknown>;
      return [door, rest];
    }),
  );
}

/** The packages that compiled code imports at run time, by name: those of Node.js and its own files are none. */
export function importedPackages(sources: readonly string[]): string[] {
  const names = sources.flatMap((source) => {
    // Doc comments have examples, which import the package itself.
    const lines = source.split('\n').filter((line) => !line.trimStart().startsWith('*'));
    return [
      ...lines.join('\n').matchAll(/(?:\bfrom |\bimport |\bimport\()['"]([^'"\n]+)['"]/g),
    ].map(([, specifier = '']) => specifier);
  });
  return [...new Set(names.filter(isPackage).map(packageOf))].sort();
}

function isPackage(specifier: string): boolean {
  return /^[@a-z]/.test(specifier) && !specifier.startsWith('node:');
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
