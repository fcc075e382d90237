import { useTranslations } from 'next-intl';
import type { TransactionDetailView } from '#contract/transactions/transaction-detail.ts';
import { CodeBlock } from '#panel/shell/code-block.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { prettyBody } from '#panel/shell/pretty-body.ts';
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
  if (calls.length === 0) return <Muted>{t('none')}</Muted>;
  const operationText = (name: string) => {
    const key = `operations.${name}` as 'operations.createCharge';
    return t.has(key) ? t(key) : name;
  };
  return (
    <>
      <ul className={classes.plainList}>
        {calls.map(({ id, operation, at, duration_ms: ms, outcome, status, method, target, request, response }) => (
          <li key={id}>
            <details className={classes.call}>
              <summary>
                <span className={classes.callName}>{operationText(operation)}</span>
                <Muted span fz={13}>
                  {formats.instantExactly(at)} · {Math.round(ms)} ms
                </Muted>
                <StatusBadge tone={TONES[outcome]} label={status === null ? t('silent') : `HTTP ${status}`} />
              </summary>
              <Body title={`${method} ${target}`} json={request} />
              <Body title={t('answer')} json={response} />
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

const Body = ({ title, json }: { title: string; json: string | null }) =>
  json === null ? <Muted fz="xs">{title}</Muted> : <CodeBlock title={title} text={prettyBody(json).text} />;
