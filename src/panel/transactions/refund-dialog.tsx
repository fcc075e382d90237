import { Alert, Button, Group, Modal, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useLocale, useTranslations } from 'next-intl';
import { useRef, useState } from 'react';
import { PIX_DESCRIPTION_LENGTH_MAX } from '#contract/lengths.ts';
import type { TransactionDetailView } from '#contract/transactions/transaction-detail.ts';
import { api } from '#panel/api.tsx';
import { useDraft } from '#panel/drafts/use-draft.ts';
import { Amount } from '#panel/money/amount.tsx';
import { AmountInput } from '#panel/money/amount-input.tsx';
import { reaisOfText } from '#panel/money/reais-of-text.ts';
import { isUndecided, useIdempotencyKey } from '#panel/money/use-idempotency-key.ts';
import { useErrorText } from '#panel/shell/call-error.ts';
import { Muted } from '#panel/shell/muted.tsx';
import { useFormats } from '#panel/use-formats.ts';
import classes from './transaction-detail.module.css';

type Props = {
  transaction: TransactionDetailView['transaction'];
  refundable: NonNullable<TransactionDetailView['refundable']>;
  onClose: () => void;
};

/** Gives a payment back, in full or in part; says what that costs before it is done. */
export function RefundDialog({ transaction, refundable, onClose }: Props) {
  const t = useTranslations('panel.transactions.refund');
  const language = useLocale();
  const formats = useFormats();
  const textOf = useErrorText();
  const utils = api.useUtils();
  const intention = useIdempotencyKey<{ amount: number; description?: string }>(`refund ${transaction.transaction_id}`);
  const { unanswered } = intention;
  const field = useRef<HTMLInputElement>(null);
  const [part, setPart] = useState<'all' | 'some'>('all');
  const [typed, setTyped] = useState('');
  const [description, setDescription] = useState('');
  const [error, setError] = useState<string | undefined>(undefined);
  const draft = useDraft(`refund ${transaction.transaction_id}`, { part, typed, description }, (kept) => {
    setPart(kept.part === 'some' ? 'some' : 'all');
    setTyped(kept.typed ?? '');
    setDescription(kept.description ?? '');
  });
  const close = () => {
    draft.clear();
    onClose();
  };
  const asked = part === 'all' ? refundable.amount : reaisOfText(typed, language);
  // As long as it may have been carried out, what is sent again must be the same.
  const amount = unanswered?.amount ?? asked;

  const refund = api.transactions.refund.useMutation({
    trpc: { context: intention.context },
    onSuccess() {
      intention.finish();
      notifications.show({ message: t('asked', { amount: formats.reais(amount ?? 0) }) });
      close();
    },
    onError(error) {
      if (!isUndecided(error)) intention.renew();
    },
    async onSettled() {
      await Promise.all([
        utils.detail.get.invalidate({ transaction_id: transaction.transaction_id }),
        utils.transactions.list.invalidate(),
        utils.balance.invalidate(),
      ]);
    },
  });

  const type = (text: string) => {
    setTyped(text);
    setError(undefined);
  };
  const submit = () => {
    if (amount === null || (!unanswered && amount > refundable.amount)) {
      setError(t(amount === null ? 'noAmount' : 'tooMuch', { amount: formats.reais(refundable.amount) }));
      field.current?.focus();
      return;
    }
    setError(undefined);
    const words = description.trim();
    const request = unanswered ?? { amount, ...(words !== '' && { description: words }) };
    intention.send(request);
    refund.mutate({ transactionId: transaction.transaction_id, ...request });
  };

  return (
    <Modal opened onClose={close} title={t('title')} centered>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Stack gap="md">
          <SegmentedControl
            aria-label={t('howMuch')}
            fullWidth
            disabled={unanswered !== null}
            value={part}
            onChange={(chosen) => setPart(chosen as 'all' | 'some')}
            data={[
              { value: 'all', label: t('all', { amount: formats.reais(refundable.amount) }) },
              { value: 'some', label: t('some') },
            ]}
          />
          {part === 'some' && !unanswered && (
            <AmountInput ref={field} label={t('amount')} value={typed} onChange={type} error={error} />
          )}
          <TextInput
            label={t('description')}
            description={t('descriptionHint')}
            value={unanswered ? (unanswered.description ?? '') : description}
            disabled={unanswered !== null}
            onChange={(event) => setDescription(event.currentTarget.value)}
            maxLength={PIX_DESCRIPTION_LENGTH_MAX}
          />
          <dl className={classes.money}>
            <div className={classes.moneyLine}>
              <dt>{t('toPayer')}</dt>
              <dd>{amount === null ? '–' : <Amount reais={amount} />}</dd>
            </div>
            <div className={classes.moneyLine} data-total="true">
              <dt>{t('fromBalance')}</dt>
              <dd>{amount === null ? '–' : <Amount reais={-amount} size="md" />}</dd>
            </div>
          </dl>
          <Muted fz={13}>
            {transaction.amount_fees > 0 && `${t('feeStays', { fee: formats.reais(transaction.amount_fees) })} `}
            {transaction.split && `${t('splitStays', { amount: formats.reais(transaction.split.amount) })} `}
            {t('until', { at: formats.instant(refundable.until) })}
          </Muted>
          {!refund.isPending && (unanswered || refund.error) && (
            <Alert color={unanswered ? 'yellow' : 'red'} variant="light" role="alert">
              {unanswered ? t('undecided') : textOf(refund.error)}
            </Alert>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {t('back')}
            </Button>
            <Button type="submit" loading={refund.isPending}>
              {amount === null ? t('submit') : t('submitAmount', { amount: formats.reais(amount) })}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
