/** Where the tools for assistants are. */
export const MCP_PATH = '/mcp';
