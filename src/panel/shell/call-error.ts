import { useTranslations } from 'next-intl';
import type { FieldIssue, Issue } from '#domain/errors/issues.ts';
import { isOutdated } from '#panel/connection/outdated.ts';
import { useFormats } from '#panel/use-formats.ts';
import { issuesByField } from './issues-by-field.ts';

type CallError = {
  data?: {
    code?: string;
    reason?: string | null;
    fields?: FieldIssue[];
    params?: Record<string, string>;
  };
};

/**
 * The reason of an error of ours; null for one that never reached the server, or that is not ours.
 */
export const reasonOf = (error: unknown): string | null => (error as CallError | null)?.data?.reason ?? null;

/** Whether the service does not have the procedure (any more): nothing was done. */
export const isUnknownProcedure = (error: unknown): boolean =>
  (error as CallError | null)?.data?.code === 'NOT_FOUND' && reasonOf(error) === null;

/**
 * Whether there is nothing at the address of a page: what it names does not exist, is of another
 * account, or is no name at all. Asking again would not help.
 */
export function isMissing(error: unknown): boolean {
  const reason = reasonOf(error);
  if (reason === null || isOutdated()) return false;
  return reason === 'invalid_input' || (reason.endsWith('not_found') && reason !== 'route_not_found');
}

/**
 * Reasons that a page gets from a service whose procedures are of another version: no such
 * procedure, another input.
 */
const OF_OTHER_VERSIONS = new Set([null, 'invalid_input', 'internal']);

/** Further params of a rejection, e.g. until when. */
export const paramsOf = (error: unknown): Record<string, string> => (error as CallError | null)?.data?.params ?? {};

/** Returns the first issue of each field of an input; `useIssueText` gives its text. */
export const fieldIssues = (error: unknown): Record<string, Issue> =>
  issuesByField((error as CallError | null)?.data?.fields ?? []);

/** A param that is a day: `2037-01-01`. */
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Returns the text of an error, in the reader's language. */
export function useErrorText(): (error: unknown) => string {
  const t = useTranslations('errors');
  const tConnection = useTranslations('connection');
  const { day } = useFormats();
  const shown = (value: string) => (DAY.test(value) ? day(value) : value);
  return (error) => {
    const reason = reasonOf(error);
    if (isOutdated() && OF_OTHER_VERSIONS.has(reason) && (error as CallError | null)?.data)
      return tConnection('outdated');
    if (reason === null)
      return t(isOffline() ? 'offline' : (error as CallError | null)?.data ? 'internal' : 'unreachable');
    // A page may be older than the service, and not know the reason.
    if (!t.has(reason as 'internal')) return t('internal');
    const params = Object.entries(paramsOf(error)).map(([name, value]) => [name, shown(value)]);
    return t(reason as 'internal', Object.fromEntries(params));
  };
}

const isOffline = () => typeof navigator !== 'undefined' && !navigator.onLine;
