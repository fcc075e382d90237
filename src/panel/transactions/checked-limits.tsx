import { useTranslations } from 'next-intl';
import type { TransactionDetailView } from '#contract/transactions/transaction-detail.ts';
import { Amount } from '#panel/money/amount.tsx';
import { DataTable } from '#panel/shell/data-table.tsx';
import { Muted } from '#panel/shell/muted.tsx';

/** `minimal_value_in_pix` and `minimal_value_out_crypto` are the same kind of limit. */
const KINDS = ['minimal', 'maximal', 'daily', 'night'] as const;

/** The limits that an amount was held to, with the figures. */
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
