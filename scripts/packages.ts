/** One of the packages that are built from this repository. */
export type Package = {
  readonly name: string;
  readonly description: string;
  readonly keywords: readonly string[];
  /** The entry file. A library has only the files that its entry imports. */
  readonly entry: string;
  readonly node: string;
  /** The page that becomes its README. */
  readonly readme: string;
  /** Dependency versions that differ from the repository's, which needs a newer Node.js. */
  readonly versions?: Readonly<Record<string, string>>;
  /** Imported only for types: a project that uses those types has the package installed. */
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

/** The facts that each package takes over from the repository. */
export type Repository = {
  readonly version: string;
  readonly license: string;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  /** Where the source is published, if known. npm needs it for a provenance statement. */
  readonly url?: string | undefined;
};

/**
 * The package.json of a package whose code imports `imported`. The server pins exact versions, because it is a program; a
 * library allows ranges. Throws if the repository has no version of an imported package.
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
    // Provenance needs a known source repository.
    publishConfig: { access: 'public', ...(repository.url && { provenance: true }) },
  };
}

/** Removes the condition for the TypeScript source, which a published package does not contain. */
function published(exports: Repository['exports']) {
  return Object.fromEntries(
    Object.entries(exports).map(([door, target]) => {
      if (typeof target !== 'object' || target === null) return [door, target];
      const { 'tradewind-source': _source, ...rest } = target as Record<string, unknown>;
      return [door, rest];
    }),
  );
}

/** The names of the packages that compiled code imports at run time, without Node.js modules and the code's own files. */
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
