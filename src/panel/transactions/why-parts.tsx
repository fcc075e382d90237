import { Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { TransactionDetailView } from '#contract/transactions/transaction-detail.ts';
import { Amount } from '#panel/money/amount.tsx';
import { MARKET_NAMES } from '#panel/money/market-names.ts';
import { CodeBlock } from '#panel/shell/code-block.tsx';
import { DataTable } from '#panel/shell/data-table.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { prettyBody } from '#panel/shell/pretty-body.ts';
import { StatusBadge } from '#panel/shell/status-badge.tsx';
import { useFormats } from '#panel/use-formats.ts';
import { coinsText } from './money-of.ts';
import classes from './transaction-detail.module.css';
import { useOperationName } from './use-operation-name.ts';

/** The price of a crypto transaction, how it came about, and what it makes of the amount. */
export function Quote({ transaction }: { transaction: TransactionDetailView['transaction'] }) {
  const t = useTranslations('panel.transactions.quote');
  const formats = useFormats();
  const { crypto, currency, crypto_amount: coins, type, amount, net_amount: net } = transaction;
  if (!crypto || !currency || coins === null) return null;
  const { price, spread_percent: spread, quoted_at: quotedAt, sources } = crypto.quote;
  const priceText = (reais: number) => formats.number(reais, { minimumFractionDigits: 2, maximumFractionDigits: 8 });
  return (
    <>
      <Text fz="sm">
        {t('formula', {
          amount: formats.reais(type === 'crypto_out' ? net : amount),
          price: `R$\u00a0${priceText(price)}`,
          coins: coinsText(coins, currency, formats),
        })}
      </Text>
      <Muted fz={13} mt={4}>
        {t('spread', { percent: formats.number(spread, { minimumFractionDigits: 2 }) })}
        {quotedAt && ` · ${t('at', { at: formats.instantExactly(quotedAt) })}`}
      </Muted>
      {sources.length > 0 && (
        <DataTable
          folds="never"
          caption={t('sources')}
          rows={sources}
          keyOf={({ source }) => source}
          title={(name) => t(name)}
          columns={[
            { name: 'source', cell: ({ source }) => MARKET_NAMES[source] ?? source },
            { name: 'when', cell: ({ at }) => formats.instantExactly(at) },
            { name: 'price', cell: ({ price: asked }) => `R$\u00a0${priceText(asked)}`, isNumeric: true },
          ]}
        />
      )}
    </>
  );
}

/** `minimal_value_in_pix` and `minimal_value_out_crypto` are the same kind of limit. */
const KINDS = ['minimal', 'maximal', 'daily', 'night'] as const;

/** The limits that an amount was checked against, with the figures. */
export function CheckedLimits({ limits }: { limits: TransactionDetailView['limits'] }) {
  const t = useTranslations('panel.transactions.limits');
  const kindText = (name: string) => {
    const kind = KINDS.find((known) => name.startsWith(known));
    return kind ? t(`kinds.${kind}`) : name;
  };
  return (
    <>
      <DataTable
        folds="never"
        rows={limits}
        keyOf={({ name }) => name}
        title={(name) => t(name)}
        columns={[
          { name: 'limit', cell: ({ name }) => kindText(name) },
          { name: 'allowed', cell: ({ limit }) => <Amount reais={limit} />, isNumeric: true },
          { name: 'compared', cell: ({ value }) => <Amount reais={value} />, isNumeric: true },
        ]}
      />
      <Muted fz={13} mt={6}>
        {t('today')}
      </Muted>
    </>
  );
}

const TONES = { done: 'ok', rejected: 'warn', failed: 'bad', silent: 'bad' } as const;

/** The calls to the provider and its answers, without anything of people or secrets in them. */
export function ProviderCalls({ calls }: { calls: TransactionDetailView['provider_calls'] }) {
  const t = useTranslations('panel.transactions.calls');
  const formats = useFormats();
  const operationText = useOperationName();
  if (calls.length === 0) return <Muted>{t('none')}</Muted>;
  return (
    <>
      <ul className="plain-list">
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
