import { useTranslations } from 'next-intl';
import { api } from '#panel/api.tsx';
import { PAGED, PagedList } from '#panel/shell/paged-list.tsx';
import rows from '#panel/shell/row-list.module.css';
import { Section } from '#panel/shell/section.tsx';
import { WaitingRows } from '#panel/shell/waiting.tsx';
import { TransactionRow } from '#panel/transactions/transaction-row.tsx';

/** The transactions of a customer, newest first, each leading to its page. */
export function CustomerTransactions({ id }: { id: string }) {
  const t = useTranslations('panel.customers');
  const query = api.customers.transactions.useInfiniteQuery({ customer_id: id }, PAGED);
  return (
    <Section title={t('one.transactions')} plain>
      <PagedList
        query={query}
        rowsOf={({ transactions }) => transactions}
        skeleton={<WaitingRows count={6} />}
        more={() => t('more')}
      >
        {(transactions) => (
          <ul className={`plain-list ${rows.list}`}>
            {transactions.map((one) => (
              <li key={one.transaction_id}>
                {/* The page names the customer: each line is identified by its description. */}
                <TransactionRow transaction={{ ...one, customer_name: null }} />
              </li>
            ))}
          </ul>
        )}
      </PagedList>
    </Section>
  );
}
