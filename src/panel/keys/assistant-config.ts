const INDENT = 2;

/** Returns the configuration that most programs of assistants take: an address, and a header. */
export const assistantConfig = (baseUrl: string, apiKey: string): string =>
  JSON.stringify(
    { mcpServers: { trilho: { type: 'http', url: `${baseUrl}/mcp`, headers: { 'x-api-key': apiKey } } } },
    null,
    INDENT,
  );
