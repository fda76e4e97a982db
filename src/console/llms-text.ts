import type { OpenApiDocument, OpenApiOperation } from '../kernel/operations/open-api-document.ts';

/** What a language model should know of this server, as llmstxt.org proposes it: what it is, how to sign in, every operation. */
export function writeLlmsText(options: {
  readonly publicUrl: URL;
  readonly services: readonly string[];
  readonly document: OpenApiDocument;
}): string {
  const { publicUrl, services, document } = options;
  const { origin } = publicUrl;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
  const sections = document.tags.map(({ name, description }) => {
    const lines = operations
      .filter(({ operation }) => operation.tags.includes(name))
      .map(
        ({ method, path, operation }) =>
          `- [${operation.summary}](${origin}/docs#${operation.operationId}): \`${method.toUpperCase()} ${path}\`.${describe(operation)}`,
      );
    return [`## ${name}`, '', description, '', ...lines, ''].join('\n');
  });
  const agents = services.includes('context')
    ? `Point an MCP client at ${origin}/mcp; a person is asked for consent once.\n`
    : '';
  const tokens = services.includes('authorization')
    ? `Tokens come from OAuth 2.1; the metadata is at ${origin}/.well-known/oauth-authorization-server.\n`
    : '';
  return `# Tradewind

> Swap quotes with a proof of how good the route is, OAuth 2.1 for MCP, and change notifications, on one self-hosted server at ${origin}.

${agents}${tokens}Every parameter and answer is described in ${origin}/openapi.json.

${sections.join('\n')}`;
}

/** The description after a space; empty if it only repeats the title. */
function describe({ summary, description }: OpenApiOperation): string {
  return description === `${summary}.` ? '' : ` ${description}`;
}
