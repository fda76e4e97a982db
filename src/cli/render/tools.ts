import type { CallToolResult, Tool } from '@modelcontextprotocol/client';
import { plainText } from './plain-text.ts';

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

/** The result of a tool: its texts, else its structure, else what kind of thing came. */
export function renderToolResult({ content, structuredContent }: CallToolResult): string {
  if (structuredContent !== undefined) return `${JSON.stringify(structuredContent, null, 2)}\n`;
  const parts = content.map((part) =>
    part.type === 'text'
      ? part.text
          .split('\n')
          .map((line) => line.replaceAll(/\p{C}/gu, ' '))
          .join('\n')
      : `(${plainText(part.type)}; see --json)`,
  );
  return `${parts.join('\n')}\n`;
}
