/** A placeholder for the key, which is kept nowhere: a shell takes it from its environment. */
const KEY = '$TRILHO_API_KEY';

/**
 * A request as a command that repeats it on this installation (`baseUrl`: scheme, host and port).
 * What was masked in it stays masked: it is not stored.
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

/** One word of a POSIX shell, whatever is in it. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
