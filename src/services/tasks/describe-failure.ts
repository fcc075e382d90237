import { scrub } from '#domain/encryption/scrub.ts';
import { toStorableText } from '#domain/values/storable-text.ts';
import { ProviderUnavailable } from '../provider-unavailable.ts';

/** A sentence or two: the log has the rest. */
const LENGTH_MAX = 300;

/**
 * Describes why a task failed for an operator, without people's data or secrets, like a line of the
 * log.
 */
export function describeFailure(error: unknown): string {
  const text = error instanceof ProviderUnavailable ? error.message : String(error);
  return toStorableText(scrub(text), LENGTH_MAX);
}
