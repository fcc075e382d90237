import { Stack } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { CustomerView } from '#contract/customers/customers.ts';
import { Amount } from '#panel/money/amount.tsx';
import { FieldList } from '#panel/shell/field-list.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { Section } from '#panel/shell/section.tsx';
import { When } from '#panel/shell/when.tsx';

/** Width of the fields' names, in pixels. */
const NAME_WIDTH = 180;

/** What a customer paid by the ledger, and the data that the account was given about them. */
export function CustomerFields({ customer }: { customer: CustomerView }) {
  const t = useTranslations('panel.customers.one');
  const { refunded, total, paid, count } = customer;
  return (
    <>
      <Stack gap="xs">
        <Amount reais={total} size="xl" />
        <Muted>{t('summary', { paid: customer.paid_count, count })}</Muted>
      </Stack>
      <Section title={t('money')}>
        <FieldList
          folds
          width={NAME_WIDTH}
          none={t('nothing')}
          fields={[
            paid > 0 && [t('paid'), <Amount key="paid" reais={paid} />],
            refunded > 0 && [t('refunded'), <Amount key="refunded" reais={-refunded} />],
            refunded > 0 && [t('total'), <Amount key="total" reais={total} />],
            customer.first_paid_at !== null && [t('first'), <When key="first" at={customer.first_paid_at} />],
            customer.last_paid_at !== null && [t('last'), <When key="last" at={customer.last_paid_at} />],
          ]}
        />
      </Section>
      <Section title={t('person')} text={t('personText')}>
        <FieldList
          folds
          width={NAME_WIDTH}
          fields={[
            [t('name'), customer.name],
            [t('document'), customer.document],
            [t('email'), customer.email],
            [t('phone'), customer.phone],
          ]}
        />
      </Section>
    </>
  );
}
