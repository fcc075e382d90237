import type { Operation } from './reference.ts';

/** How an operation's example is sent from three languages. */
export const SNIPPET_LANGUAGES = ['curl', 'node', 'python'] as const;
export type SnippetLanguage = (typeof SNIPPET_LANGUAGES)[number];

export type SnippetPlace = {
  /** Scheme, host and port, without a slash at the end. */
  baseUrl: string;
  /** What stands in the place of a key. */
  apiKey: string;
};

type Request = { method: string; url: string; headers: [name: string, value: string][]; body: object | null };

export function snippet(language: SnippetLanguage, operation: Operation, place: SnippetPlace): string {
  return WRITERS[language](requestOf(operation, place));
}

function requestOf({ method, path, parameters, body }: Operation, { baseUrl, apiKey }: SnippetPlace): Request {
  const given = parameters.filter(({ example }) => example !== undefined);
  const query = given.filter((parameter) => parameter.in === 'query');
  const filledPath = given
    .filter((parameter) => parameter.in === 'path')
    .reduce((text, { name, example }) => text.replace(`{${name}}`, encodeURIComponent(String(example))), path);
  const queryText = query.map(({ name, example }) => `${name}=${encodeQuery(example)}`).join('&');
  const headers = given.filter((parameter) => parameter.in === 'header');
  return {
    method,
    url: baseUrl + filledPath + (queryText && `?${queryText}`),
    headers: [
      ['x-api-key', apiKey],
      ...(body ? [['Content-Type', 'application/json'] as [string, string]] : []),
      ...headers.map(({ name, example }): [string, string] => [name, String(example)]),
    ],
    body: body?.example ?? null,
  };
}

/** A list goes over the wire as one text with commas. */
export const encodeQuery = (value: unknown) => encodeURIComponent(String(value)).replaceAll('%2C', ',');

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
      ...(body ? [`  body: JSON.stringify(${indent(JSON.stringify(body, null, 2))}),`] : []),
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

const indent = (text: string) => text.replaceAll('\n', '\n  ');

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
