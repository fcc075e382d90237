import { useTranslations } from 'next-intl';
import classes from './try-it.module.css';
import type { TryOutcome } from './use-try.ts';

/** What came back: its status, the headers that matter, its body. */
export function TryAnswerView({ outcome }: { outcome: TryOutcome }) {
  const t = useTranslations('docs.tryIt');
  const answer = outcome?.kind === 'answered' ? outcome.answer : null;
  return (
    <section className={classes.answer} aria-label={t('answer')}>
      <p className={classes.status} aria-live="polite" data-tone={answer && (answer.status < 400 ? 'good' : 'bad')}>
        {answer && t('answered', { status: String(answer.status), ms: String(answer.ms) })}
        {outcome?.kind === 'no_answer' && t('noAnswer')}
        {outcome?.kind === 'sending' && t('sending')}
        {outcome === null && <span className={classes.empty}>{t('answer')}</span>}
      </p>
      {answer && (
        <>
          <dl className={classes.headers} aria-label={t('headers')}>
            {answer.headers.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
          <pre className={classes.body}>{answer.body}</pre>
        </>
      )}
    </section>
  );
}
