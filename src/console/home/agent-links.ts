/** Links, a command and settings that add this server to common MCP clients. None of them holds a secret. */
export function agentLinks(publicUrl: URL) {
  const url = `${publicUrl.origin}/mcp`;
  const settings = { type: 'http', url };
  const encoded = Buffer.from(JSON.stringify({ url })).toString('base64');
  const named = encodeURIComponent(JSON.stringify({ name: 'tradewind', ...settings }));
  return {
    links: [
      {
        name: 'Cursor',
        href: `cursor://anysphere.cursor-deeplink/mcp/install?name=tradewind&config=${encodeURIComponent(encoded)}`,
      },
      { name: 'Visual Studio Code', href: `vscode:mcp/install?${named}` },
    ],
    command: `claude mcp add --transport http tradewind ${url}`,
    settings: JSON.stringify({ mcpServers: { tradewind: settings } }, null, 2),
  };
}
