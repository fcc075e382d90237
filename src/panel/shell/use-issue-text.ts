import { useTranslations } from 'next-intl';
import type { Issue } from '#domain/errors/issues.ts';

/** Returns the text of a field's issue, in the reader's language. */
export function useIssueText(): (issue: Issue) => string {
  const t = useTranslations('issues');
  return ({ issue, params }) => {
    // The service may be newer than this page.
    return t.has(issue) ? t(issue, params) : t('not_valid');
  };
}
