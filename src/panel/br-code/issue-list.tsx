import { useTranslations } from 'next-intl';
import type { BrCodeIssue } from '#domain/charges/read-br-code.ts';
import { Muted } from '#panel/shell/muted.tsx';
import classes from './br-code-page.module.css';
import { markPlaces } from './mark-places.ts';

/** How many issues are listed: a text that is no code at all has more than anybody reads. */
const ISSUES_MAX = 12;

type Props = { issues: readonly BrCodeIssue[] };

/** The first issues in words, numbered as their places in the text, and how many more there are. */
export function IssueList({ issues }: Props) {
  const t = useTranslations('panel.brCode');
  const rest = issues.length - ISSUES_MAX;
  return (
    <div>
      <ol className={classes.issues}>
        {issues.slice(0, ISSUES_MAX).map((issue, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: made again with every text.
          <li key={index} data-severity={issue.severity}>
            <span className={classes.place}>{placeOf(issue)}</span> {t(`issues.${issue.code}`, issue.params)}
            {issue.severity === 'warning' && <Muted span fz={13}>{` (${t('warning')})`}</Muted>}
          </li>
        ))}
      </ol>
      {rest > 0 && <Muted fz={13}>{t('more', { count: rest })}</Muted>}
    </div>
  );

  function placeOf({ at, length }: BrCodeIssue): string {
    if (length > 1) return t('positions', { at: at + 1, to: at + length });
    return length === 0 && at === 0 ? t('wholeCode') : t('position', { at: at + 1 });
  }
}

/** The code with the places of these issues marked. */
export function MarkedText({ text, issues }: Props & { text: string }) {
  const t = useTranslations('panel.brCode');
  const placed = issues.slice(0, ISSUES_MAX).map(({ at, length }) => ({ at, length: at === 0 ? length : length || 1 }));
  return (
    <figure style={{ margin: 0 }}>
      <Muted component="figcaption" fz={13}>
        {t('textTitle')}
      </Muted>
      <code className={classes.marked}>
        {markPlaces(text, placed).map(({ at, text: piece, issues: numbers }) =>
          numbers.length === 0 ? (
            piece
          ) : (
            <mark key={at} className={classes.mark}>
              {piece}
              <sup>{numbers.join(' ')}</sup>
            </mark>
          ),
        )}
      </code>
    </figure>
  );
}
