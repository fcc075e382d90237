const INDENT = 2;

/** The configuration that programs of assistants have in common: an address, and a header. */
export const assistantConfig = (baseUrl: string, apiKey: string): string =>
  JSON.stringify(
    { mcpServers: { trilho: { type: 'http', url: `${baseUrl}/mcp`, headers: { 'x-api-key': apiKey } } } },
    null,
    INDENT,
  );
