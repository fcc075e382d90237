import { Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { TransactionDetailView } from '#contract/transactions/transaction-detail.ts';
import { DataTable } from '#panel/shell/data-table.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { useFormats } from '#panel/use-formats.ts';
import { coinsText } from './coins.ts';

/**
 * The price that a crypto transaction was made at, how it came about, and what it makes of the
 * amount.
 */
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
            { name: 'source', cell: ({ source }) => NAMES[source] ?? source },
            { name: 'when', cell: ({ at }) => formats.instantExactly(at) },
            { name: 'price', cell: ({ price: asked }) => `R$\u00a0${priceText(asked)}`, isNumeric: true },
          ]}
        />
      )}
    </>
  );
}

/** As the markets write themselves. */
const NAMES: Record<string, string> = {
  binance: 'Binance',
  foxbit: 'Foxbit',
  'mercado-bitcoin': 'Mercado Bitcoin',
};
