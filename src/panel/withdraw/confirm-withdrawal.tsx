'use client';

import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useRouter } from 'next/navigation';
import { useLocale, useTranslations } from 'next-intl';
import { useEffect, useRef, useState } from 'react';
import { CURRENCIES } from '#domain/currencies.ts';
import { api } from '#panel/api.tsx';
import { formatReais } from '#panel/format.ts';
import { Notice } from '#panel/money/notice.tsx';
import { useIdempotencyKey } from '#panel/money/use-idempotency-key.ts';
import { networkName } from '#panel/payment/network-name.ts';
import { reasonOf, useFaultText } from '#panel/shell/faults.ts';
import { QueryState } from '#panel/shell/query-state.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { amountOf, currencyOf, type Draft, formatPixKey, keyOf } from './draft.ts';
import { Refusals, Sums } from './preview-card.tsx';
import { QuoteLine } from './quote-line.tsx';
import { usePreview } from './use-preview.ts';
import { walletOf } from './wallet-check.ts';
import { WalletText } from './wallet-text.tsx';
import classes from './withdraw.module.css';

/** Refusals after which it is not known whether an earlier try of this very request was carried out. */
const UNDECIDED = new Set([null, 'idempotency_key_running', 'unavailable', 'internal']);

/** The last look: who gets what, and what it costs. One press sends it once, however often it is pressed or its answer gets lost. */
export function ConfirmWithdrawal({ draft, onBack }: { draft: Draft; onBack: () => void }) {
  const t = useTranslations('panel.withdraw');
  const language = useLocale();
  const router = useRouter();
  const { href } = usePanel();
  const textOf = useFaultText();
  const utils = api.useUtils();
  const preview = usePreview(draft);
  const intention = useIdempotencyKey();
  const heading = useRef<HTMLHeadingElement>(null);
  // The second press of a double click comes before the button is drawn as busy.
  const underway = useRef(false);
  const [fault, setFault] = useState<unknown>(null);
  useEffect(() => heading.current?.focus(), []);

  const options = {
    trpc: { context: { idempotencyKey: intention.key } },
    onSuccess({ data }: { data: { transaction_id: string } }) {
      void utils.invalidate();
      router.replace(href(`/sacar?saque=${data.transaction_id}`));
    },
    onError(error: unknown) {
      underway.current = false;
      setFault(error);
      void utils.withdrawalPreview.invalidate();
      if (!UNDECIDED.has(reasonOf(error))) intention.renew();
    },
  };
  const pix = api.withdrawals.pix.useMutation(options);
  const crypto = api.withdrawals.crypto.useMutation(options);
  const { isPending, isSuccess } = draft.kind === 'pix' ? pix : crypto;

  const amount = amountOf(draft) ?? 0;
  const send = () => {
    if (underway.current) return;
    underway.current = true;
    setFault(null);
    const key = keyOf(draft);
    if (draft.kind === 'pix' && key) {
      const description = draft.description.trim() || null;
      pix.mutate({ amount, pixKey: key.key, pixKeyType: key.type, description });
    } else if (draft.kind === 'crypto') {
      crypto.mutate({ amount, wallet: draft.wallet.trim(), currency: draft.currency, memo: draft.memo.trim() || null });
    }
  };
  const isUndecided = fault !== null && UNDECIDED.has(reasonOf(fault));

  return (
    <Paper withBorder p="lg" className={classes.narrow}>
      <Stack gap="lg">
        <Title order={2} fz="lg" ref={heading} tabIndex={-1} className={classes.heading}>
          {t('confirmTitle')}
        </Title>
        <Recipient draft={draft} />
        <QueryState query={preview} skeleton={<Text fz="sm">{t('loading')}</Text>}>
          {(data) => (
            <Stack gap="md">
              <Sums data={data} kind={draft.kind} />
              {draft.kind === 'crypto' && data.quote && <QuoteLine quote={data.quote} />}
              {fault === null && !isPending && <Refusals data={data} />}
            </Stack>
          )}
        </QueryState>
        <Text fz="sm" c="var(--ink-muted)">
          {t(draft.kind === 'pix' ? 'noWayBackPix' : 'noWayBackCrypto')}
        </Text>
        {fault !== null && (
          <Notice tone={isUndecided ? 'caution' : 'bad'}>
            <Text fz="sm">{isUndecided ? t('undecided') : textOf(fault)}</Text>
          </Notice>
        )}
        <Group justify="flex-end" gap="sm" className={classes.buttons}>
          {/* As long as it may have been sent, what is sent again must be the same. */}
          <Button variant="default" size="md" onClick={onBack} disabled={isPending || isSuccess || isUndecided}>
            {t('back')}
          </Button>
          <Button
            size="md"
            onClick={send}
            loading={isPending || isSuccess}
            disabled={!isUndecided && (preview.data?.refusals.length ?? 0) > 0}
          >
            {isUndecided ? t('sendAgain') : t('send', { amount: formatReais(amount, language) })}
          </Button>
        </Group>
        <div aria-live="polite" className="visually-hidden">
          {isPending && t('sending')}
        </div>
      </Stack>
    </Paper>
  );
}

function Recipient({ draft }: { draft: Draft }) {
  const t = useTranslations('panel.withdraw');
  const key = keyOf(draft);
  const code = currencyOf(draft);
  return (
    <dl className={classes.facts}>
      {draft.kind === 'pix' && key && (
        <div>
          <dt>{t('to', { type: t(`keyTypes.${key.type}`) })}</dt>
          <dd className={classes.recipient}>{formatPixKey(key.key, key.type)}</dd>
        </div>
      )}
      {draft.kind === 'pix' && draft.description.trim() !== '' && (
        <div>
          <dt>{t('message')}</dt>
          <dd>{draft.description.trim()}</dd>
        </div>
      )}
      {draft.kind === 'crypto' && code && (
        <>
          <div data-wide>
            <dt>{t('wallet', { network: networkName(CURRENCIES[code].network) })}</dt>
            <dd className={classes.recipient}>
              <WalletText wallet={walletOf(draft.wallet, code) ?? draft.wallet} />
            </dd>
          </div>
          <div>
            <dt>{t('currency')}</dt>
            <dd>{CURRENCIES[code].name}</dd>
          </div>
        </>
      )}
      {draft.kind === 'crypto' && draft.memo.trim() !== '' && (
        <div>
          <dt>{t('memo')}</dt>
          <dd>{draft.memo.trim()}</dd>
        </div>
      )}
    </dl>
  );
}
