import { useTranslations } from 'next-intl';
import { TOPIC_TYPES, TOPICS } from '#domain/webhooks/events.ts';
import { nextAttemptDelayMs, WEBHOOK_ATTEMPTS_MAX } from '#domain/webhooks/webhook-schedule.ts';
import { CodeBlock, JsonBlock } from './code-block.tsx';
import classes from './docs-page.module.css';
import { reference } from './reference.ts';
import { link, RICH } from './rich-text.tsx';
import { Codes, DocsTable, Section } from './section.tsx';
import { VERIFY_WEBHOOK } from './webhook-samples.ts';

const STANDARD_WEBHOOKS = 'https://www.standardwebhooks.com';

/** Where webhooks go, how they are verified and answered, and when they come again. */
export function Webhooks() {
  const t = useTranslations('docs.webhooks');
  const side = (
    <>
      <CodeBlock title="Node" code={VERIFY_WEBHOOK.node} />
      <CodeBlock title="Python" code={VERIFY_WEBHOOK.python} />
    </>
  );
  return (
    <Section id="webhooks" title={t('title')} side={side}>
      <p>{t.rich('where', RICH)}</p>
      <DocsTable label={t('topic')} head={[t('topic'), t('events')]}>
        {TOPICS.map((topic) => (
          <tr key={topic}>
            <th scope="row">
              <code>{topic}</code>
            </th>
            <td>
              <Codes texts={TOPIC_TYPES[topic]} />
            </td>
          </tr>
        ))}
      </DocsTable>
      <p>{t('address')}</p>
      <h3 className={classes.subheading}>{t('headersTitle')}</h3>
      <ul className={classes.fields}>
        {reference.webhookHeaders.map(({ name, description = '', example }) => (
          <li key={name}>
            <p className={classes.fieldLine}>
              <code className={classes.fieldName}>{name}</code>
            </p>
            <p className={classes.fieldText}>{description}</p>
            <p className={classes.fieldText}>
              <code>{String(example)}</code>
            </p>
          </li>
        ))}
      </ul>
      <h3 className={classes.subheading}>{t('verifyTitle')}</h3>
      <p>{t.rich('verify', { ...RICH, standard: link(STANDARD_WEBHOOKS) })}</p>
      <h3 className={classes.subheading}>{t('answerTitle')}</h3>
      <ul className={classes.points}>
        <li>{t.rich('answer2xx', RICH)}</li>
        <li>{t.rich('answer410', RICH)}</li>
        <li>{t.rich('answerOther', RICH)}</li>
      </ul>
      <p>{t.rich('held', RICH)}</p>
      <p>{t.rich('rest', RICH)}</p>
      <h3 className={classes.subheading}>{t('scheduleTitle')}</h3>
      <p>{t('schedule', { count: WEBHOOK_ATTEMPTS_MAX })}</p>
      <Schedule />
      <h3 className={classes.subheading}>{t('dedupeTitle')}</h3>
      <p>{t.rich('dedupe', RICH)}</p>
    </Section>
  );
}

function Schedule() {
  const t = useTranslations('docs.webhooks');
  const waitOf = (attempt: number) => {
    const seconds = (nextAttemptDelayMs(attempt, 0, null) ?? 0) / 1000;
    if (seconds === 0) return t('atOnce');
    if (seconds < 60) return t('seconds', { count: seconds });
    return seconds < 3600 ? t('minutes', { count: seconds / 60 }) : t('hours', { count: seconds / 3600 });
  };
  return (
    <ol className={classes.schedule}>
      {Array.from({ length: WEBHOOK_ATTEMPTS_MAX }, (_, attempt) => waitOf(attempt)).map((wait, attempt) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an attempt is its number.
        <li key={attempt}>
          <span className="visually-hidden">{t('attempt')} </span>
          <span className={classes.attempt}>{attempt + 1}</span> {wait}
        </li>
      ))}
    </ol>
  );
}

/** Every type of event, with the body of one. */
export function Events() {
  const t = useTranslations('docs.webhooks');
  return (
    <Section id="events" title={t('eventsTitle')}>
      <p>{t.rich('eventsText', RICH)}</p>
      <div className={classes.events}>
        {reference.events.map(({ type, summary, description, example }) => (
          <details key={type} id={type} className={classes.event}>
            <summary>
              <code>{type}</code> <span className={classes.eventSummary}>{summary}</span>
            </summary>
            {description && <p>{description}</p>}
            <JsonBlock title={type} value={example} />
          </details>
        ))}
      </div>
    </Section>
  );
}
