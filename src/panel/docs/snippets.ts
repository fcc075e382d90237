import type { Operation, Parameter } from './reference.ts';

/** The languages, by the names under which readers know them. */
export const LANGUAGE_NAMES = { curl: 'curl', node: 'Node', python: 'Python' } as const;
export type SnippetLanguage = keyof typeof LANGUAGE_NAMES;
export const SNIPPET_LANGUAGES = Object.keys(LANGUAGE_NAMES) as SnippetLanguage[];

export type SnippetPlace = {
  /** Scheme, host and port, without a slash at the end. */
  baseUrl: string;
  /** The placeholder for a key. */
  apiKey: string;
};

type Request = { method: string; url: string; headers: [name: string, value: string][]; body: unknown };

/** Returns the code that sends an operation's example in a language. */
export function snippet(language: SnippetLanguage, operation: Operation, { baseUrl, apiKey }: SnippetPlace): string {
  const { method, path, parameters, body } = operation;
  const given = parameters.filter(({ example }) => example !== undefined);
  const { url, headers } = fillIn(
    path,
    given.map((parameter) => ({ ...parameter, value: String(parameter.example) })),
  );
  return WRITERS[language]({
    method,
    url: baseUrl + url,
    headers: [['x-api-key', apiKey], ...(body ? [CONTENT_TYPE] : []), ...headers],
    body: body?.example,
  });
}

const CONTENT_TYPE: [string, string] = ['Content-Type', 'application/json'];

/** Returns the URL of an operation (path and query) and its headers, with these values. */
export function fillIn(path: string, given: readonly (Pick<Parameter, 'name' | 'in'> & { value: string })[]) {
  const of = (where: Parameter['in']) => given.filter((parameter) => parameter.in === where);
  const filled = of('path').reduce(
    (text, { name, value }) => text.replace(`{${name}}`, encodeURIComponent(value)),
    path,
  );
  // A list goes over the wire as one text with commas.
  const query = of('query').map(({ name, value }) => `${name}=${encodeURIComponent(value).replaceAll('%2C', ',')}`);
  return {
    url: filled + (query.length > 0 ? `?${query.join('&')}` : ''),
    headers: of('header').map(({ name, value }): [string, string] => [name, value]),
  };
}

const WRITERS: Record<SnippetLanguage, (request: Request) => string> = {
  curl({ method, url, headers, body }) {
    const parts = [
      `curl ${method === 'POST' && !body ? '-X POST ' : ''}'${url}'`,
      ...headers.map(([name, value]) => `-H '${name}: ${value}'`),
      ...(body ? [`-d '${JSON.stringify(body, null, 2).replaceAll("'", `'\\''`)}'`] : []),
    ];
    return parts.join(' \\\n  ');
  },

  node({ method, url, headers, body }) {
    const lines = [
      `const response = await fetch('${url}', {`,
      ...(method === 'GET' ? [] : [`  method: '${method}',`]),
      '  headers: {',
      ...headers.map(([name, value]) => `    '${name}': '${value}',`),
      '  },',
      ...(body ? [`  body: JSON.stringify(${JSON.stringify(body, null, 2).replaceAll('\n', '\n  ')}),`] : []),
      '});',
      'console.log(response.status, await response.json());',
    ];
    return lines.join('\n');
  },

  python({ method, url, headers, body }) {
    const lines = [
      'import requests',
      '',
      `response = requests.${method.toLowerCase()}(`,
      `    "${url}",`,
      '    headers={',
      // requests writes the content type of `json` itself.
      ...headers.filter(([name]) => name !== 'Content-Type').map(([name, value]) => `        "${name}": "${value}",`),
      '    },',
      ...(body ? [`    json=${pythonValue(body, 4)},`] : []),
      ')',
      'print(response.status_code, response.json())',
    ];
    return lines.join('\n');
  },
};

const PYTHON_WORDS = new Map<unknown, string>([
  [null, 'None'],
  [true, 'True'],
  [false, 'False'],
]);

function pythonValue(value: unknown, depth: number): string {
  if (typeof value !== 'object' || value === null) return PYTHON_WORDS.get(value) ?? JSON.stringify(value);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const members = Object.entries(value).map(([key, member]) => {
    const text = pythonValue(member, depth + 4);
    return Array.isArray(value) ? text : `${JSON.stringify(key)}: ${text}`;
  });
  if (members.length === 0) return `${open}${close}`;
  const pad = ' '.repeat(depth + 4);
  return `${open}\n${members.map((member) => `${pad}${member},\n`).join('')}${' '.repeat(depth)}${close}`;
}
