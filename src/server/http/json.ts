import type { ServerResponse } from 'node:http';

/** With its charset, although JSON has only one: some clients guess without it. */
export const JSON_MEDIA_TYPE = 'application/json; charset=utf-8';

/** The JSON text of a body that is stored before it is sent, or of a part of one. */
export const jsonText = (value: unknown): string => JSON.stringify(value);

/** Answers with a value as JSON. Headers that are not about the body are set before. */
export function sendJson(res: ServerResponse, status: number, body: unknown): void {
  sendJsonText(res, status, jsonText(body));
}

/** Answers with a body that is JSON text already. */
export function sendJsonText(res: ServerResponse, status: number, text: string): void {
  // As text, which Node sends together with the head in one piece; bytes would be a second one.
  res.statusCode = status;
  res.setHeader('content-type', JSON_MEDIA_TYPE);
  res.setHeader('content-length', Buffer.byteLength(text));
  res.end(text);
}

/**
 * A value as a web Response, as better-auth answers; `headers` that are about a body are replaced.
 */
export function jsonResponse(status: number, body: unknown, headers: HeadersInit = {}): Response {
  const all = new Headers(headers);
  all.set('content-type', JSON_MEDIA_TYPE);
  all.delete('content-length');
  return new Response(jsonText(body), { status, headers: all });
}

/** A POST of a value to a handler of web requests in this process: better-auth's, or tRPC's. */
export function jsonRequest(url: URL | string, body: unknown, headers: HeadersInit = {}): Request {
  const all = new Headers(headers);
  all.set('content-type', 'application/json');
  return new Request(url, { method: 'POST', headers: all, body: jsonText(body) });
}
