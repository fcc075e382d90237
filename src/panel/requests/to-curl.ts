/** A placeholder for the key, which is not stored: a shell takes it from its environment. */
const KEY = '$TRILHO_API_KEY';

/**
 * Returns a command that repeats a request on this installation (`baseUrl`: scheme, host and port).
 * What was masked in the request stays masked, because it is not stored.
 */
export function toCurl(request: { baseUrl: string; method: string; path: string; body: string | null }): string {
  const { baseUrl, method, path, body } = request;
  const lines = [`curl ${quoted(baseUrl + path)}`, `-H "x-api-key: ${KEY}"`];
  if (method === 'HEAD') lines.push('-I');
  else if (method !== 'GET') {
    lines.push(`-X ${method}`, '-H "content-type: application/json"');
    if (body !== null) lines.push(`-d ${quoted(body)}`);
  }
  return lines.join(' \\\n  ');
}

/** Quotes a text as one word of a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
