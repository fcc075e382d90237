import { useTranslations } from 'next-intl';
import { WEBHOOK_ATTEMPTS_MAX } from '#domain/webhooks/webhook-schedule.ts';
import { CodeBlock, JsonBlock } from './code-block.tsx';
import classes from './docs-page.module.css';
import { reference } from './reference.ts';
import { DocsTable, Prose } from './section.tsx';
import { attemptWaits, topicsTable } from './tables/transaction-tables.ts';
import { VERIFY_WEBHOOK } from './webhook-samples.ts';

/** Where webhooks go, how they are verified and answered, and when they are sent again. */
export function Webhooks() {
  const side = (
    <>
      <CodeBlock title="Node" code={VERIFY_WEBHOOK.node} />
      <CodeBlock title="Python" code={VERIFY_WEBHOOK.python} />
    </>
  );
  const parts = {
    topics: <DocsTable table={topicsTable(useTranslations())} />,
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
  const t = useTranslations();
  return (
    <ol className={classes.schedule}>
      {attemptWaits(t).map((wait, attempt) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an attempt is its number.
        <li key={attempt}>
          <span className="visually-hidden">{t('docs.webhooks.attempt')} </span>
          <span className={classes.attempt}>{attempt + 1}</span> {wait}
        </li>
      ))}
    </ol>
  );
}

/** Every type of event, each with an example of its body. */
export function Events() {
  const t = useTranslations('docs.events.types');
  const list = (
    <div className={classes.events}>
      {reference.events.map(({ type, key, example }) => (
        <details key={type} id={type} className={classes.event}>
          <summary>
            <code>{type}</code> <span className={classes.eventSummary}>{t(`${key}.summary`)}</span>
          </summary>
          {t.has(`${key}.description`) && <p>{t(`${key}.description`)}</p>}
          <JsonBlock title={type} value={example} />
        </details>
      ))}
    </div>
  );
  return <Prose id="events" parts={{ list }} />;
}
