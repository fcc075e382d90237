'use client';

import { Stack } from '@mantine/core';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { api } from '#panel/api.tsx';
import { BackLink } from '#panel/shell/back-link.tsx';
import { reasonOf } from '#panel/shell/call-error.ts';
import { EmptyState } from '#panel/shell/empty-state.tsx';
import { Page } from '#panel/shell/page.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { Section } from '#panel/shell/section.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { CustomerFields } from './customer-fields.tsx';
import { CustomerTransactions } from './customer-transactions.tsx';
import { mayAnswerRequests } from './may-answer-requests.ts';
import { PersonalData } from './personal-data.tsx';

/** One customer: who they are, what they have paid, and their transactions. */
export function CustomerPage({ id }: { id: string }) {
  const t = useTranslations('panel.customers');
  const { href, may } = usePanel();
  const router = useRouter();
  // The transaction that named the customer may be erased now: another one does.
  const onErased = (next: string | null) =>
    next !== id && router.replace(href(next === null ? '/clientes' : `/clientes/${next}`));
  const query = api.customers.get.useQuery({ customer_id: id });
  const back = <BackLink href={href('/clientes')} label={t('title')} />;
  if (reasonOf(query.error) === 'customer_not_found') {
    return (
      <Page title={t('one.title')} description={back}>
        <EmptyState title={t('one.gone')} text={t('one.goneText')} />
      </Page>
    );
  }
  return (
    <Page title={query.data?.name ?? t('one.title')} description={back}>
      <QueryState query={query} skeleton={[220, 320]}>
        {(customer) => (
          <Stack gap="xl">
            <CustomerFields customer={customer} />
            <CustomerTransactions id={id} />
            {mayAnswerRequests(may) && (
              <Section title={t('data.title')} text={t('data.text')}>
                <PersonalData id={id} onErased={onErased} />
              </Section>
            )}
          </Stack>
        )}
      </QueryState>
    </Page>
  );
}
