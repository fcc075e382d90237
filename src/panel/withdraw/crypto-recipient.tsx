import { Stack, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import { CURRENCIES, isCurrencyCode } from '#domain/quotes/currencies.ts';
import { CurrencySelect } from '#panel/money/currency-select.tsx';
import { Notice } from '#panel/money/notice.tsx';
import { Recognised } from '#panel/money/recognised.tsx';
import { networkName } from '#panel/payment/network-name.ts';
import { Muted } from '#panel/shell/muted.tsx';
import type { Draft } from './draft.ts';
import { loadWalletChecks, walletOf } from './wallet-check.ts';
import classes from './withdraw.module.css';

const WALLET_LENGTH_MAX = 128;
const MEMO_LENGTH_MAX = 120;

/**
 * The receiver of coins: currency, network and address. The address is checked while it is typed,
 * and again by the service.
 */
export function CryptoRecipient(props: {
  form: UseFormReturnType<Draft>;
  /** The currency that is chosen, or the default. */
  currency: string;
  memo: 'none' | 'sent' | 'not_sent' | undefined;
}) {
  const { form, currency, memo } = props;
  const t = useTranslations('panel.withdraw');
  const code = isCurrencyCode(currency) ? currency : null;
  const network = code ? networkName(CURRENCIES[code].network) : '';
  const { wallet } = form.values;
  const [checked, setChecked] = useState(false);
  useEffect(() => {
    loadWalletChecks().then(
      () => setChecked(true),
      // Without the checks only the service checks the address.
      () => {},
    );
  }, []);
  const isAddress = checked && code !== null && walletOf(wallet, code) !== null;
  return (
    <Stack gap="md">
      <CurrencySelect {...form.getInputProps('currency')} value={currency} />
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
        <Recognised>{isAddress && t('walletGood', { network })}</Recognised>
      </div>
      {/* Coins that go to the address over another network are lost: no check can see it. */}
      {code && <Muted>{t('networkWarning', { asset: CURRENCIES[code].asset, network })}</Muted>}
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
