import { Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { TransactionDetailView } from '#contract/transactions/transaction-detail.ts';
import { Muted } from '#panel/shell/muted.tsx';
import { useFormats } from '#panel/use-formats.ts';
import { coinsText } from './coins.ts';
import classes from './transaction-detail.module.css';

/** The price that a crypto transaction was made at, how it came about, and what it makes of the amount. */
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
        <table className={classes.entries}>
          <caption>{t('sources')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('source')}</th>
              <th scope="col">{t('when')}</th>
              <th scope="col" data-numeric>
                {t('price')}
              </th>
            </tr>
          </thead>
          <tbody>
            {sources.map(({ source, price: asked, at }) => (
              <tr key={source}>
                <td>{NAMES[source] ?? source}</td>
                <td>{formats.instantExactly(at)}</td>
                <td data-numeric>R$&nbsp;{priceText(asked)}</td>
              </tr>
            ))}
          </tbody>
        </table>
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
