import { useTranslations } from 'next-intl';
import { TOPIC_TYPES, TOPICS } from '#domain/webhooks/events.ts';
import { nextAttemptDelayMs, WEBHOOK_ATTEMPTS_MAX } from '#domain/webhooks/webhook-schedule.ts';
import { CodeBlock, JsonBlock } from './code-block.tsx';
import classes from './docs-page.module.css';
import { reference } from './reference.ts';
import { Codes, DocsTable, Prose } from './section.tsx';
import { VERIFY_WEBHOOK } from './webhook-samples.ts';

/** Where webhooks go, how they are verified and answered, and when they come again. */
export function Webhooks() {
  const t = useTranslations('docs.webhooks');
  const side = (
    <>
      <CodeBlock title="Node" code={VERIFY_WEBHOOK.node} />
      <CodeBlock title="Python" code={VERIFY_WEBHOOK.python} />
    </>
  );
  const rows = TOPICS.map((topic) => [
    <code key={topic}>{topic}</code>,
    <Codes key="types" texts={TOPIC_TYPES[topic]} />,
  ]);
  const parts = {
    topics: <DocsTable label={t('topic')} head={[t('topic'), t('events')]} rows={rows} />,
    headers: <Headers />,
    schedule: <Schedule />,
  };
  return <Prose id="webhooks" side={side} parts={parts} values={{ count: WEBHOOK_ATTEMPTS_MAX }} />;
}

const Headers = () => (
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
);

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
  const t = useTranslations('docs.events.types');
  const list = (
    <div className={classes.events}>
      {reference.events.map(({ type, example }) => (
        <details key={type} id={type} className={classes.event}>
          <summary>
            <code>{type}</code> <span className={classes.eventSummary}>{t(`${keyOf(type)}.summary`)}</span>
          </summary>
          {t.has(`${keyOf(type)}.description`) && <p>{t(`${keyOf(type)}.description`)}</p>}
          <JsonBlock title={type} value={example} />
        </details>
      ))}
    </div>
  );
  return <Prose id="events" parts={{ list }} />;
}

/** The name of an event's texts; some have no description, as `t.has` says. */
const keyOf = (type: string) => type.replace('.', '_') as 'pix_in_expired';
