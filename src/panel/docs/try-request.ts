import type { Operation } from './reference.ts';
import { encodeQuery } from './snippets.ts';

/** What the try-it knows of an operation: as little as it needs, for it goes to the browser. */
export type TryOperation = {
  id: string;
  method: 'GET' | 'POST';
  path: string;
  title: string;
  parameters: { name: string; in: 'path' | 'query' | 'header'; required: boolean; placeholder: string }[];
  /** The example, for editing; null for an operation without a body. */
  body: string | null;
};

export function toTryOperation({ id, method, path, parameters, body }: Operation, title: string): TryOperation {
  return {
    id,
    method,
    path,
    title,
    parameters: parameters.map(({ name, in: where, required = false, example }) => {
      return { name, in: where, required, placeholder: example === undefined ? '' : String(example) };
    }),
    body: body && JSON.stringify(body.example, null, 2),
  };
}

export type TryValues = {
  apiKey: string;
  /** By the parameter's name; an empty one is not sent. */
  parameters: Record<string, string>;
  body: string;
};

/** The request to this page's own origin. The key goes into a header and nowhere else. */
export function toRequest(operation: TryOperation, values: TryValues): { url: string; init: RequestInit } {
  const given = operation.parameters
    .map(({ name, in: where }) => ({ name, where, value: values.parameters[name]?.trim() ?? '' }))
    .filter(({ value }) => value !== '');
  const path = given
    .filter(({ where }) => where === 'path')
    .reduce((text, { name, value }) => text.replace(`{${name}}`, encodeURIComponent(value)), operation.path);
  const query = given
    .filter(({ where }) => where === 'query')
    .map(({ name, value }) => `${name}=${encodeQuery(value)}`);
  const headers = given.filter(({ where }) => where === 'header').map(({ name, value }) => [name, value]);
  return {
    url: path + (query.length > 0 ? `?${query.join('&')}` : ''),
    init: {
      method: operation.method,
      headers: {
        'x-api-key': values.apiKey.trim(),
        ...(operation.body !== null && { 'content-type': 'application/json' }),
        ...Object.fromEntries(headers),
      },
      ...(operation.body !== null && { body: values.body }),
      // Nothing of this browser's own goes along, and nothing is kept.
      credentials: 'omit',
      cache: 'no-store',
      redirect: 'error',
      referrerPolicy: 'no-referrer',
    },
  };
}

/** Whether a text is what the API takes for a body. */
export function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
