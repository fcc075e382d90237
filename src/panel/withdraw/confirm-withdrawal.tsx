import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useRouter } from 'next/navigation';
import { useLocale, useTranslations } from 'next-intl';
import { useEffect, useRef, useState } from 'react';
import { api } from '#panel/api.tsx';
import { Notice } from '#panel/money/notice.tsx';
import { type Intention, isUndecided } from '#panel/money/use-idempotency-key.ts';
import { useErrorText } from '#panel/shell/call-error.ts';
import { Muted } from '#panel/shell/muted.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { useFormats } from '#panel/use-formats.ts';
import { amountOf, type Draft, keyOf } from './draft.ts';
import { Sums, WithdrawalErrors } from './preview-card.tsx';
import { QuoteLine } from './quote-line.tsx';
import { Recipient } from './recipient.tsx';
import { usePreview } from './use-preview.ts';
import classes from './withdraw.module.css';

type Props = {
  draft: Draft;
  intention: Intention<Draft>;
  onSent: () => void;
  onBack: () => void;
};

/**
 * The last look: who gets what, and what it costs. One press sends it once, however often it is
 * pressed, its answer gets lost or the page is loaded again.
 */
export function ConfirmWithdrawal({ draft, intention, onSent, onBack }: Props) {
  const t = useTranslations('panel.withdraw');
  const language = useLocale();
  const formats = useFormats();
  const router = useRouter();
  const { href } = usePanel();
  const textOf = useErrorText();
  const utils = api.useUtils();
  const amount = amountOf(draft, language);
  const preview = usePreview(draft, amount);
  const heading = useRef<HTMLHeadingElement>(null);
  // The second press of a double click comes before the button is drawn as busy.
  const underway = useRef(false);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => heading.current?.focus(), []);

  const options = {
    trpc: { context: intention.context },
    onSuccess({ data }: { data: { transaction_id: string } }) {
      onSent();
      intention.finish();
      void utils.invalidate();
      router.replace(href(`/sacar?saque=${data.transaction_id}`));
    },
    onError(error: unknown) {
      underway.current = false;
      setError(error);
      void utils.withdrawalPreview.invalidate();
      if (!isUndecided(error)) intention.renew();
    },
  };
  const pix = api.withdrawals.pix.useMutation(options);
  const crypto = api.withdrawals.crypto.useMutation(options);
  const { isPending, isSuccess } = draft.kind === 'pix' ? pix : crypto;

  const send = () => {
    if (underway.current || amount === null) return;
    underway.current = true;
    setError(null);
    // Written so that it is the same amount in every language: the page may be loaded again in
    // another.
    intention.send({ ...draft, amount: formats.typedReais(amount) });
    const key = keyOf(draft);
    if (draft.kind === 'pix' && key) {
      const description = draft.description.trim() || null;
      pix.mutate({ amount, pixKey: key.key, pixKeyType: key.type, description });
    } else if (draft.kind === 'crypto') {
      crypto.mutate({ amount, wallet: draft.wallet.trim(), currency: draft.currency, memo: draft.memo.trim() || null });
    }
  };
  const giveUp = () => {
    intention.renew();
    onBack();
  };
  const mayBeSent = intention.unanswered !== null && !isPending && !isSuccess;

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
              {error === null && !isPending && !mayBeSent && <WithdrawalErrors data={data} />}
            </Stack>
          )}
        </QueryState>
        <Muted>{t(draft.kind === 'pix' ? 'noWayBackPix' : 'noWayBackCrypto')}</Muted>
        {mayBeSent ? (
          <Notice tone="caution">
            <Text fz="sm">{t('undecided')}</Text>
            <Button variant="subtle" size="compact-sm" onClick={giveUp}>
              {t('giveUp')}
            </Button>
          </Notice>
        ) : (
          error !== null && (
            <Notice tone="bad">
              <Text fz="sm">{textOf(error)}</Text>
            </Notice>
          )
        )}
        <Group justify="flex-end" gap="sm" className={classes.buttons}>
          {/* As long as it may have been sent, what is sent again must be the same. */}
          <Button variant="default" size="md" onClick={onBack} disabled={isPending || isSuccess || mayBeSent}>
            {t('back')}
          </Button>
          <Button
            size="md"
            onClick={send}
            loading={isPending || isSuccess}
            disabled={!mayBeSent && (preview.data?.errors.length ?? 0) > 0}
          >
            {mayBeSent ? t('sendAgain') : t('send', { amount: formats.reais(amount ?? 0) })}
          </Button>
        </Group>
        <div aria-live="polite" className="visually-hidden">
          {isPending && t('sending')}
        </div>
      </Stack>
    </Paper>
  );
}
