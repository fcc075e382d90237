import { API_ERROR_CODES } from '#domain/errors/error-catalogue.ts';
import type { RawAnswer } from '../answers.ts';

/** Why the body of a rejected REST operation is wrong; null: it has the shape of its family. */
export function restBodyError({ text }: RawAnswer, isCrypto: boolean): string | null {
  const body = parse(text);
  if (!body) return `the body is no JSON object: ${text.slice(0, 80)}`;
  const { success, error, message, code } = body;
  if (success !== false || typeof message !== 'string')
    return `the body is not {success: false, message}: ${text.slice(0, 120)}`;
  if (!isCrypto && typeof error !== 'string') return `the body has no error: ${text.slice(0, 120)}`;
  if (!(API_ERROR_CODES as readonly unknown[]).includes(code)) return `the code is none: ${text.slice(0, 120)}`;
  return null;
}

/**
 * Why the body of a rejected panel procedure is wrong; null: it has tRPC's shape, without a stack.
 */
export function panelBodyError({ text }: RawAnswer): string | null {
  const error = parse(text)?.error as { message?: unknown; data?: { reason?: unknown; stack?: unknown } } | undefined;
  if (typeof error?.message !== 'string') return `the body is no error: ${text.slice(0, 120)}`;
  return error.data?.stack === undefined ? null : 'the body has a stack';
}

/**
 * The `reason` in the body of a rejected panel procedure, in tRPC's shape or in its data alone;
 * null: there is none.
 */
export const reasonIn = ({ text }: RawAnswer): string | null => {
  const body = parse(text);
  const data =
    (body?.error as { data?: { reason?: string } } | undefined)?.data ??
    (body?.data as { reason?: string } | undefined);
  return data?.reason ?? null;
};

function parse(text: string): Record<string, unknown> | null {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...body } : null;
  } catch {
    return null;
  }
}
