import type { FieldIssue, Issue } from '#domain/errors/issues.ts';
import { issuesByField } from '../shell/issues-by-field.ts';

export type AuthError = { ok: false; error: string; params: Record<string, string>; fields: Record<string, Issue> };

/** The outcome of a call to the sign-in: its answer, or which error it was. */
export type AuthAnswer = { ok: true; data: Record<string, unknown> } | AuthError;

export const authError = (error: string): AuthError => ({ ok: false, error, params: {}, fields: {} });

type Body = {
  code?: string;
  data?: { reason?: string | null; params?: Record<string, string>; fields?: FieldIssue[] };
};

/**
 * Calls an endpoint of the sign-in (`/sign-in/email` …): POST with a body, GET without. Never
 * throws: without a response the error is `unreachable`. Plain fetch, because these pages come
 * before everything else and stay small.
 */
export const authCall = (path: string, body?: object, headers: Record<string, string> = {}): Promise<AuthAnswer> =>
  call(`/api/auth${path}`, body, headers);

/** Signs a merchant up: asks the service to mail the link that opens them. */
export const signUpCall = (input: object): Promise<AuthAnswer> => call('/api/trpc/session.signUp', input, {});

/** Reads what a link would open. By POST, so that its token is in no address. */
export async function readLink(
  kind: 'signUpLink' | 'invitationLink' | 'resetLink',
  token: string,
): Promise<AuthAnswer> {
  const answer = await call(`/api/trpc/session.${kind}`, { token }, {});
  if (!answer.ok) return answer;
  const { result } = answer.data as { result?: { data?: Record<string, unknown> } };
  return { ok: true, data: result?.data ?? {} };
}

async function call(url: string, body: object | undefined, headers: Record<string, string>): Promise<AuthAnswer> {
  try {
    const init = body
      ? { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) }
      : { headers };
    const response = await fetch(url, init);
    const answer: unknown = await response.json().catch(() => ({}));
    if (response.ok) return { ok: true, data: (answer ?? {}) as Record<string, unknown> };
    return errorOf(answer);
  } catch {
    return authError('unreachable');
  }
}

function errorOf(answer: unknown): AuthAnswer {
  const body = ((answer as { error?: Body } | null)?.error ?? answer ?? {}) as Body;
  const { reason, params = {}, fields = [] } = body.data ?? {};
  return { ok: false, error: reason ?? body.code ?? 'other', params, fields: issuesByField(fields) };
}
