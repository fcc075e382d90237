import { useTranslations } from 'next-intl';
import type { CustomerView } from '#contract/customers/customers.ts';
import { Amount } from '#panel/money/amount.tsx';
import { DataTable } from '#panel/shell/data-table.tsx';
import { RowLink } from '#panel/shell/linked-row.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { When } from '#panel/shell/when.tsx';
import classes from './customer-list.module.css';

/** Customers in a table, each leading to their page; on a narrow screen a list. */
export function CustomerList({ customers }: { customers: readonly CustomerView[] }) {
  const t = useTranslations('panel.customers');
  const { href } = usePanel();
  return (
    <DataTable
      rows={customers}
      keyOf={({ customer_id: id }) => id}
      title={(name) => t(`columns.${name}`)}
      label={t('title')}
      folds="tablet"
      classes={classes}
      lines={['name total', 'document count']}
      isLink
      columns={[
        {
          name: 'name',
          isHead: true,
          cell: ({ customer_id: id, name, email, phone, document }) => (
            <>
              <RowLink
                href={href(`/clientes/${id}`)}
                style={{ fontWeight: 500 }}
                isName
                scroll
                aria-label={`${name ?? t('noName')}, ${document}`}
              >
                {name ?? t('noName')}
              </RowLink>
              {(email ?? phone) && <Muted fz="xs">{email ?? phone}</Muted>}
            </>
          ),
        },
        { name: 'document', cell: ({ document }) => document },
        { name: 'count', cell: ({ paid_count: paid, count }) => t('paidOf', { paid, count }), isNumeric: true },
        { name: 'last', cell: ({ last_paid_at: at }) => (at ? <When at={at} /> : t('never')) },
        { name: 'total', cell: ({ total }) => <Amount reais={total} />, isNumeric: true },
      ]}
    />
  );
}
