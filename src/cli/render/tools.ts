import type { CallToolResult, Tool } from '@modelcontextprotocol/client';
import { plainLines, plainText } from '../plain-text.ts';

/** The tools of a server for people: what each does, and what it takes. */
export function renderTools(tools: readonly Tool[]): string {
  if (tools.length === 0) return 'This server has no tools.\n';
  const blocks = tools.map(({ name, description, inputSchema }) => {
    const required = new Set(inputSchema.required ?? []);
    const names = Object.keys(inputSchema.properties ?? {}).map((key) =>
      required.has(key) ? plainText(key) : `[${plainText(key)}]`,
    );
    const lines = [[plainText(name), ...names].join(' '), `  ${plainText(description ?? '')}`];
    return lines.map((line) => `  ${line}`.trimEnd()).join('\n');
  });
  return `\n${blocks.join('\n\n')}\n\n`;
}

/** The result of a tool: its structured content, else its texts and the types of all other parts. */
export function renderToolResult({ content, structuredContent }: CallToolResult): string {
  if (structuredContent !== undefined) {
    return `${plainLines(JSON.stringify(structuredContent, null, 2))}\n`;
  }
  const parts = content.map((part) =>
    part.type === 'text' ? plainLines(part.text) : `(${plainText(part.type)}; see --json)`,
  );
  return `${parts.join('\n')}\n`;
}
