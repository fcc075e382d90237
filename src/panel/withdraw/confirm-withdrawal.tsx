import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useLocale, useTranslations } from 'next-intl';
import { useEffect, useRef } from 'react';
import { api } from '#panel/api.tsx';
import { Notice } from '#panel/money/notice.tsx';
import { reaisOfText } from '#panel/money/reais-of-text.ts';
import type { Intention } from '#panel/money/use-idempotency-key.ts';
import { useSendOnce } from '#panel/money/use-send-once.ts';
import { useErrorText } from '#panel/shell/call-error.ts';
import { Muted } from '#panel/shell/muted.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { useFormats } from '#panel/use-formats.ts';
import { ApprovalNote } from './approval-note.tsx';
import { cryptoOf, type Draft, keyOf, pixOf } from './draft.ts';
import { PayeeNote } from './payee-note.tsx';
import { Quote, Sums, WithdrawalErrors } from './preview-card.tsx';
import { Recipient } from './recipient.tsx';
import { usePreview } from './use-preview.ts';
import classes from './withdraw.module.css';

type Props = {
  draft: Draft;
  intention: Intention<Draft>;
  onSent: (transactionId: string) => void;
  onBack: () => void;
};

/**
 * The last step: who gets what, and what it costs. It is sent once, however often the button is
 * pressed, its answer gets lost or the page is loaded again.
 */
export function ConfirmWithdrawal({ draft, intention, onSent, onBack }: Props) {
  const t = useTranslations('panel.withdraw');
  const language = useLocale();
  const formats = useFormats();
  const textOf = useErrorText();
  const utils = api.useUtils();
  const amount = reaisOfText(draft.amount, language);
  const preview = usePreview(draft, amount);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);

  const { send, options, error, isUnderway } = useSendOnce(intention, {
    onSent(id) {
      void utils.invalidate();
      onSent(id);
    },
    onError: () => void utils.withdrawalPreview.invalidate(),
  });
  const pix = api.withdrawals.pix.useMutation(options);
  const crypto = api.withdrawals.crypto.useMutation(options);
  const press = () => {
    const key = keyOf(draft);
    if (amount === null || (draft.kind === 'pix' && !key)) return;
    // Written so that every language reads the same amount: the page may be loaded again in
    // another.
    send({ ...draft, amount: formats.typedReais(amount) }, () => {
      if (draft.kind === 'crypto') crypto.mutate(cryptoOf(draft, amount));
      else if (key) pix.mutate(pixOf(draft, amount, key));
    });
  };
  const giveUp = () => {
    intention.renew();
    onBack();
  };
  const isLater = draft.kind === 'pix' && draft.isScheduled;
  const mayBeSent = intention.unanswered !== null && !isUnderway;

  return (
    <Paper withBorder p="lg" maw={640}>
      <Stack gap="lg">
        <Title order={2} fz="lg" ref={heading} tabIndex={-1} style={{ outline: 'none' }}>
          {t('confirmTitle')}
        </Title>
        <Recipient draft={draft} />
        <QueryState query={preview} skeleton={<Text fz="sm">{t('loading')}</Text>}>
          {(data) => (
            <Stack gap="md">
              <Sums data={data} draft={draft} />
              {draft.kind === 'crypto' && data.quote && <Quote quote={data.quote} />}
              {error === null && !isUnderway && !mayBeSent && <WithdrawalErrors data={data} />}
              <PayeeNote data={data} draft={draft} amount={amount} />
              <ApprovalNote data={data} draft={draft} amount={amount} />
            </Stack>
          )}
        </QueryState>
        <Muted>{t(isLater ? 'wayBackScheduled' : draft.kind === 'pix' ? 'noWayBackPix' : 'noWayBackCrypto')}</Muted>
        {mayBeSent ? (
          <Notice>
            <Text fz="sm">{t('undecided')}</Text>
            <Button variant="subtle" size="compact-sm" onClick={giveUp}>
              {t('giveUp')}
            </Button>
          </Notice>
        ) : (
          error !== null && <Notice tone="bad">{textOf(error)}</Notice>
        )}
        <Group justify="flex-end" gap="sm" className={classes.buttons}>
          {/* As long as it may have been sent, only the same request may be sent again. */}
          <Button variant="default" size="md" onClick={onBack} disabled={isUnderway || mayBeSent}>
            {t('back')}
          </Button>
          <Button
            size="md"
            onClick={press}
            loading={isUnderway}
            disabled={!mayBeSent && (preview.data?.errors.length ?? 0) > 0}
          >
            {mayBeSent ? t('sendAgain') : t(isLater ? 'schedule.send' : 'send', { amount: formats.reais(amount ?? 0) })}
          </Button>
        </Group>
        <div aria-live="polite" className="visually-hidden">
          {isUnderway && t('sending')}
        </div>
      </Stack>
    </Paper>
  );
}
