import { Radio, Stack, Text } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { api } from '#panel/api.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { SearchField } from '#panel/shell/search-field.tsx';
import { useFormats } from '#panel/use-formats.ts';

/** The charge that was chosen: its id, and its amount in reais. */
export type ChosenCharge = { id: string; amount: number };

type Props = {
  paymentId: string;
  value: ChosenCharge | null;
  onChange: (charge: ChosenCharge) => void;
  error: string | null;
};

/**
 * The choice of the charge that a payment belongs to: unpaid ones of its amount; a text finds
 * others.
 */
export function ChargeChoice({ paymentId, value, onChange, error }: Props) {
  const t = useTranslations('panel.unmatched.assign');
  const statuses = useTranslations('panel.transactions.statuses');
  const formats = useFormats();
  const [text, setText] = useState('');
  const found = api.unmatched.assignable.useQuery(
    { payment_id: paymentId, ...(text !== '' && { text }) },
    { placeholderData: keepPreviousData },
  );
  return (
    <Stack gap="xs">
      <SearchField size="sm" label={t('search')} placeholder={t('placeholder')} text={text} onChange={setText} />
      <QueryState
        query={found}
        skeleton={[44]}
        isEmpty={({ charges }) => charges.length === 0}
        empty={<Muted>{t(text === '' ? 'none' : 'nothingFound')}</Muted>}
      >
        {({ charges }) => (
          <Radio.Group
            label={t('charges')}
            error={error}
            value={value?.id ?? ''}
            onChange={(id) => {
              const chosen = charges.find(({ transaction_id: one }) => one === id);
              if (chosen) onChange({ id, amount: chosen.amount });
            }}
          >
            <Stack gap={8} mt={6} mb={4}>
              {charges.map(({ transaction_id: id, amount, status, created_at: at, ...charge }) => (
                <Radio
                  key={id}
                  value={id}
                  label={
                    <Text fz="sm" component="span">
                      {formats.reais(amount)} · {charge.customer_name ?? charge.description ?? `…${id.slice(-6)}`}
                    </Text>
                  }
                  description={`${statuses(status)} · ${formats.instant(at)}`}
                />
              ))}
            </Stack>
          </Radio.Group>
        )}
      </QueryState>
    </Stack>
  );
}
