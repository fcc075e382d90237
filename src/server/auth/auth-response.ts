import type { ServerResponse } from 'node:http';
import type { DomainError } from '#domain/errors/domain-error.ts';
import { ERROR_CATALOGUE, type PanelErrorCode } from '#domain/errors/error-catalogue.ts';
import { parseJson } from '#domain/values/parse-json.ts';
import { jsonResponse } from '../http/json.ts';

/** A rejection in the shape that the pages know from procedures. */
export const rejection = (
  reason: PanelErrorCode,
  { params = {}, details = [] }: Partial<Pick<DomainError, 'params' | 'details'>> = {},
): Response => jsonResponse(ERROR_CATALOGUE[reason].status, { data: { reason, fields: details, params } });

/** The rejection of an invalid e-mail address (contact.ts), in better-auth's shape. */
export const noEmail = (): Response => jsonResponse(400, { code: 'INVALID_EMAIL' });

/**
 * Sends an answer without the session's token, which is in its cookie only, where no script reads
 * it.
 */
export async function sendAnswer(res: ServerResponse, answer: Response): Promise<void> {
  const { status, headers, body } = await withoutToken(answer);
  res.statusCode = status;
  for (const [name, value] of headers) if (name !== 'set-cookie') res.setHeader(name, value);
  const cookies = headers.getSetCookie();
  if (cookies.length > 0) res.setHeader('set-cookie', cookies);
  res.end(Buffer.from(await new Response(body).arrayBuffer()));
}

/**
 * Returns why an answer is a rejection: our own reason, better-auth's code, or else the status;
 * null for a success. Never a typed text.
 */
export async function reasonOf(answer: Response): Promise<string | null> {
  if (answer.ok) return null;
  const body = (await answer.json().catch(() => null)) as { code?: unknown; data?: { reason?: unknown } } | null;
  const reason = body?.data?.reason ?? body?.code;
  return typeof reason === 'string' ? reason : String(answer.status);
}

async function withoutToken(answer: Response): Promise<Response> {
  const { status, headers } = answer;
  if (!headers.get('content-type')?.includes('json')) return answer;
  const text = await answer.text();
  const body = parseJson(text);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return new Response(text, { status, headers });
  const { token: _, session: __, ...rest } = body as { token?: unknown; session?: unknown };
  return jsonResponse(status, rest, headers);
}
