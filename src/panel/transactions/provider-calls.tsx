import { Code } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { TransactionDetailView } from '#contract/transactions/transaction-detail.ts';
import { Muted } from '#panel/shell/muted.tsx';
import { StatusBadge } from '#panel/shell/status-badge.tsx';
import { useFormats } from '#panel/use-formats.ts';
import classes from './transaction-detail.module.css';

const TONES = { done: 'ok', rejected: 'warn', failed: 'bad', silent: 'bad' } as const;

/**
 * What was said to the provider and what it answered, without anything of people or secrets in it.
 */
export function ProviderCalls({ calls }: { calls: TransactionDetailView['provider_calls'] }) {
  const t = useTranslations('panel.transactions.calls');
  const formats = useFormats();
  if (calls.length === 0) {
    return <Muted>{t('none')}</Muted>;
  }
  const operationText = (name: string) =>
    t.has(`operations.${name}` as 'operations.createCharge')
      ? t(`operations.${name}` as 'operations.createCharge')
      : name;
  return (
    <>
      <ul className={classes.plainList}>
        {calls.map((call) => (
          <li key={call.id}>
            <details className={classes.call}>
              <summary>
                <span className={classes.callName}>{operationText(call.operation)}</span>
                <span className={classes.note}>
                  {formats.instantExactly(call.at)} · {Math.round(call.duration_ms)} ms
                </span>
                <StatusBadge
                  tone={TONES[call.outcome]}
                  label={call.status === null ? t('silent') : `HTTP ${call.status}`}
                />
              </summary>
              <Body title={`${call.method} ${call.target}`} json={call.request} />
              <Body title={t('answer')} json={call.response} />
            </details>
          </li>
        ))}
      </ul>
      <Muted fz={13} mt={8}>
        {t('masked')}
      </Muted>
    </>
  );
}

function Body({ title, json }: { title: string; json: string | null }) {
  return (
    <>
      <div className={classes.bodyTitle}>{title}</div>
      {json !== null && (
        <Code block className={classes.body} tabIndex={0}>
          {indented(json)}
        </Code>
      )}
    </>
  );
}

/** What was cut to its size is no JSON any more, and stands as it is. */
function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}
