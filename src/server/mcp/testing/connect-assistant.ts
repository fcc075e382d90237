import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

export type Assistant = {
  client: Client;
  /** The names of the tools that its key may call. */
  tools(): Promise<string[]>;
  /** Calls a tool; returns its answer, and whether that is an error. */
  call(name: string, args?: Record<string, unknown>): Promise<{ isError: boolean; body: Record<string, unknown> }>;
};

/**
 * An assistant with the protocol's own client. `era`: with the handshake of 2025, or the protocol
 * without one.
 */
export async function connectAssistant(
  url: string,
  headers: Record<string, string>,
  { era = 'legacy' }: { era?: 'legacy' | 'modern' } = {},
): Promise<Assistant> {
  const client = new Client(
    { name: 'test', version: '1' },
    era === 'modern' ? { versionNegotiation: { mode: 'auto' } } : {},
  );
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } }));
  return {
    client,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    async call(name, args = {}) {
      const { isError = false, structuredContent, content } = await client.callTool({ name, arguments: args });
      const [first] = content;
      const body = structuredContent as Record<string, unknown>;
      if (first?.type !== 'text' || first.text !== JSON.stringify(body)) throw new Error('The text is another one.');
      return { isError, body };
    },
  };
}
