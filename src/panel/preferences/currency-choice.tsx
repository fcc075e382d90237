import { NativeSelect } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { api } from '#panel/api.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { useSaved } from './use-saved.ts';

type Props = { currency: string | null; currencies: readonly { code: string; name: string }[] };

/** The account's currency of crypto charges and withdrawals where none is chosen. */
export function CurrencyChoice({ currency, currencies }: Props) {
  const t = useTranslations('panel.preferences');
  const { mode } = usePanel();
  const setCurrency = api.preferences.setCurrency.useMutation(useSaved());
  const shown = setCurrency.isPending ? setCurrency.variables.currency : currency;
  return (
    <NativeSelect
      label={t('currency')}
      description={t('currencyMode', { mode })}
      value={shown ?? ''}
      onChange={({ currentTarget }) => setCurrency.mutate({ currency: currentTarget.value || null })}
      data={[
        { value: '', label: t('noCurrency') },
        ...currencies.map(({ code, name }) => ({ value: code, label: `${name} · ${code}` })),
      ]}
    />
  );
}
