import { invalidField } from '#domain/errors/invalid-field.ts';
import { fieldIssue } from '#domain/errors/issues.ts';
import { parseCallbackUrl } from '#domain/webhooks/callback-url.ts';
import { type Deps, urlPolicy } from '../deps.ts';

/** Throws invalid_input for a callbackUrl of a transaction that its events can't be sent to. */
export async function checkCallbackUrl(deps: Deps, mode: 'live' | 'test', text: string | null): Promise<void> {
  if (text === null) return;
  const policy = urlPolicy(deps, mode, text);
  const parsed = parseCallbackUrl(text, policy);
  if (parsed.ok && (await deps.urlChecker(parsed.url, policy))) return;
  const isNotHttps = !parsed.ok && parsed.reason === 'url_not_https';
  const issue = fieldIssue('callbackUrl', isNotHttps ? 'url_not_https' : 'url_not_public');
  throw invalidField(issue);
}
