import { useTranslations } from 'next-intl';
import type { TransactionDetailView } from '#contract/transactions/transaction-detail.ts';
import { Amount } from '#panel/money/amount.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import classes from './transaction-detail.module.css';

/** `minimal_value_in_pix` and `minimal_value_out_crypto` are the same kind of limit. */
const KINDS = ['minimal', 'maximal', 'daily', 'night'] as const;

/** The limits that an amount was held to, with the figures. */
export function CheckedLimits({ limits }: { limits: TransactionDetailView['limits'] }) {
  const t = useTranslations('panel.transactions.limits');
  return (
    <>
      <table className={classes.entries}>
        <thead>
          <tr>
            <th scope="col">{t('limit')}</th>
            <th scope="col" data-numeric>
              {t('allowed')}
            </th>
            <th scope="col" data-numeric>
              {t('compared')}
            </th>
          </tr>
        </thead>
        <tbody>
          {limits.map(({ name, limit, value }) => {
            const kind = KINDS.find((known) => name.startsWith(known));
            return (
              <tr key={name}>
                <td>{kind ? t(`kinds.${kind}`) : name}</td>
                <td data-numeric>
                  <Amount reais={limit} />
                </td>
                <td data-numeric>
                  <Amount reais={value} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <Muted fz={13} mt={6}>
        {t('today')}
      </Muted>
    </>
  );
}
