import { Select, Stack, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconCheck } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import type { CurrencyCode } from '#domain/quotes/currencies.ts';
import { CURRENCIES, isCurrencyCode } from '#domain/quotes/currencies.ts';
import { Notice } from '#panel/money/notice.tsx';
import { networkName } from '#panel/payment/network-name.ts';
import { useErrorText } from '#panel/shell/call-error.ts';
import { Muted } from '#panel/shell/muted.tsx';
import { Icon } from '../shell/icon.tsx';
import type { Draft } from './draft.ts';
import { loadWalletChecks, walletOf } from './wallet-check.ts';
import classes from './withdraw.module.css';

const WALLET_LENGTH_MAX = 128;
const MEMO_LENGTH_MAX = 120;

type Currencies = { data?: { data: { currency: string; name: string }[] } | undefined; error: unknown };

/**
 * Which coin over which network to which address; the address is checked while it is typed, and
 * again by the service.
 */
export function CryptoRecipient(props: {
  form: UseFormReturnType<Draft>;
  /** The one that is chosen, or that there is without a choice. */
  currency: string;
  currencies: Currencies;
  memo: 'none' | 'sent' | 'not_sent' | undefined;
}) {
  const { form, currency, currencies, memo } = props;
  const t = useTranslations('panel.withdraw');
  const textOf = useErrorText();
  const code = isCurrencyCode(currency) ? currency : null;
  const network = code ? networkName(CURRENCIES[code].network) : '';
  const { wallet } = form.values;
  const [checked, setChecked] = useState(false);
  useEffect(() => {
    loadWalletChecks().then(
      () => setChecked(true),
      // Without them the service alone checks.
      () => {},
    );
  }, []);
  const isAddress = checked && code !== null && walletOf(wallet, code) !== null;
  return (
    <Stack gap="md">
      <Select
        {...form.getInputProps('currency')}
        value={currency || null}
        onChange={(chosen) => form.setFieldValue('currency', chosen ?? '')}
        label={t('currency')}
        data={(currencies.data?.data ?? []).map(({ currency: value, name }) => ({ value, label: name }))}
        error={form.errors.currency ?? (currencies.error ? textOf(currencies.error) : null)}
        size="md"
        allowDeselect={false}
        searchable
        nothingFoundMessage={t('noCurrency')}
      />
      <div>
        <TextInput
          {...form.getInputProps('wallet')}
          label={t('wallet', { network })}
          description={t('walletHint')}
          maxLength={WALLET_LENGTH_MAX}
          size="md"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          classNames={{ input: classes.mono }}
        />
        <div aria-live="polite">
          {isAddress && (
            <p className={classes.recognised}>
              <Icon of={IconCheck} size={16} />
              {t('walletGood', { network })}
            </p>
          )}
        </div>
      </div>
      {code && <NetworkWarning code={code} />}
      {memo === 'sent' && (
        <TextInput
          {...form.getInputProps('memo')}
          label={t('memo')}
          description={t('memoHint')}
          maxLength={MEMO_LENGTH_MAX}
          size="md"
          autoComplete="off"
        />
      )}
      {memo === 'not_sent' && <Notice>{t('memoNotSent')}</Notice>}
    </Stack>
  );
}

/**
 * One address, several networks: what is sent over the wrong one is lost, and no check can see it.
 */
function NetworkWarning({ code }: { code: CurrencyCode }) {
  const t = useTranslations('panel.withdraw');
  const { asset, network } = CURRENCIES[code];
  return <Muted>{t('networkWarning', { asset, network: networkName(network) })}</Muted>;
}
