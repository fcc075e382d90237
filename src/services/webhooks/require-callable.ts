import { invalidField } from '#domain/errors/invalid-field.ts';
import { fieldIssue } from '#domain/errors/issues.ts';
import { type CallbackUrlIssue, parseCallbackUrl } from '#domain/webhooks/callback-url.ts';
import { TEST_RECEIVER_URL } from '#domain/webhooks/test-receiver.ts';
import { type Deps, urlPolicy } from '../deps.ts';

/**
 * Throws DomainError `invalid_input` with the rule that a URL for webhooks breaks, and the field in
 * which it was sent.
 */
export async function requireCallable(
  deps: Deps,
  mode: 'live' | 'test',
  url: string,
  field: 'url' | 'callbackUrl' | 'webhookUrl' = 'url',
): Promise<void> {
  const policy = urlPolicy(deps, mode, url);
  const parsed = parseCallbackUrl(url, policy);
  const invalid = (issue: CallbackUrlIssue) => invalidField(fieldIssue(field, issue));
  if (!parsed.ok) throw invalid(parsed.reason);
  if (!(await deps.urlChecker(parsed.url, policy))) throw invalid('url_inside_network');
}

/** Removes the query of a URL for the audit: merchants put tokens there. */
export function withoutQuery(url: string): string {
  if (url === TEST_RECEIVER_URL) return url;
  const { origin, pathname, search } = new URL(url);
  return `${origin}${pathname}${search === '' ? '' : '?…'}`;
}
