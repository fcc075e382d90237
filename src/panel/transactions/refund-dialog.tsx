import { Alert, SegmentedControl, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useLocale, useTranslations } from 'next-intl';
import { PIX_DESCRIPTION_LENGTH_MAX } from '#contract/lengths.ts';
import type { TransactionDetailView } from '#contract/transactions/transaction-detail.ts';
import { api } from '#panel/api.tsx';
import { loadPart } from '#panel/connection/lazy-part.ts';
import { useDraft } from '#panel/drafts/use-draft.ts';
import { AmountInput } from '#panel/money/amount-input.tsx';
import { reaisOfText } from '#panel/money/reais-of-text.ts';
import { isUndecided, useIdempotencyKey } from '#panel/money/use-idempotency-key.ts';
import { fieldIssues, paramsOf, reasonOf, useErrorText } from '#panel/shell/call-error.ts';
import { focusFirstError } from '#panel/shell/focus-first-error.ts';
import { FormDialog } from '#panel/shell/form-dialog.tsx';
import { TextLink } from '#panel/shell/links.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { useSchemaRules } from '#panel/shell/schema-rules.ts';
import { useNotify } from '#panel/shell/use-notify.ts';
import { usePanel } from '#panel/shell/use-panel.ts';
import { useFormats } from '#panel/use-formats.ts';
import { Sum } from './sum.tsx';

type Props = {
  transaction: TransactionDetailView['transaction'];
  refundable: NonNullable<TransactionDetailView['refundable']>;
  onClose: () => void;
};

const EMPTY = { part: 'all', amount: '', description: '' };
type Values = typeof EMPTY;

/** Gives a payment back, in full or in part; says what that costs before it is done. */
export function RefundDialog({ transaction, refundable, onClose }: Props) {
  const t = useTranslations('panel.transactions.refund');
  const language = useLocale();
  const formats = useFormats();
  const notify = useNotify();
  const textOf = useErrorText();
  const { href } = usePanel();
  const utils = api.useUtils();
  const { transaction_id: transactionId, amount_fees: fee, split } = transaction;
  const intention = useIdempotencyKey<{ amount: number; description?: string }>(`refund ${transactionId}`);
  const { unanswered } = intention;
  const amountOf = ({ part, amount }: Values) => (part === 'some' ? reaisOfText(amount, language) : refundable.amount);
  const requestOf = (values: Values) => {
    const description = values.description.trim();
    return { amount: amountOf(values), ...(description !== '' && { description }) };
  };
  const rules = useSchemaRules<Values>({
    load: () => loadPart(() => import('#contract/transactions/transactions.ts')).then((all) => all.refundInput),
    wire: (values) => ({ transactionId, ...requestOf(values) }),
  });
  const form = useForm<Values>({
    initialValues: EMPTY,
    onValuesChange: rules.prepare,
    async validate(values) {
      const asked = amountOf(values);
      // The schema knows neither the payment's amount nor that an empty field does not mean all of
      // it.
      const isWrong = asked === null || asked > refundable.amount;
      const text = t(asked === null ? 'noAmount' : 'tooMuch', { amount: formats.reais(refundable.amount) });
      return { ...(await rules.validate(values)), ...(isWrong && { amount: text }) };
    },
  });
  const draft = useDraft(`refund ${transactionId}`, form.values, ({ part, ...kept }) =>
    form.setValues({ ...kept, part: part === 'some' ? 'some' : 'all' }),
  );
  const close = () => {
    draft.clear();
    onClose();
  };
  // As long as the refund may have been carried out, only the same one may be sent again.
  const amount = unanswered?.amount ?? amountOf(form.values);
  const refund = api.transactions.refund.useMutation({
    trpc: { context: intention.context },
    onSuccess(_, { amount: asked }) {
      intention.finish();
      notify.done(t('asked', { amount: formats.reais(asked ?? 0) }));
      close();
    },
    onError(error) {
      if (!isUndecided(error)) intention.renew();
    },
    onSettled: () =>
      Promise.all([
        utils.detail.get.invalidate({ transaction_id: transactionId }),
        utils.transactions.list.invalidate(),
        utils.balance.invalidate(),
      ]),
  });
  const send = (request: { amount: number; description?: string }) => {
    intention.send(request);
    refund.mutate({ transactionId, ...request });
  };
  const check = form.onSubmit(
    (values) => {
      const { amount: asked, ...rest } = requestOf(values);
      if (asked !== null) send({ amount: asked, ...rest });
    },
    (errors) => focusFirstError(form.getInputNode, errors, 'amount'),
  );
  const errorText = (error: unknown) => {
    if (reasonOf(error) !== 'charge_disputed') return Object.keys(fieldIssues(error)).length > 0 && textOf(error);
    return (
      <>
        {textOf(error)} <TextLink href={href(`/disputas/${paramsOf(error).dispute_id}`)} label={t('toDispute')} />
      </>
    );
  };
  return (
    <FormDialog
      title={t('title')}
      submit={amount === null ? t('submit') : t('submitAmount', { amount: formats.reais(amount) })}
      cancel={t('back')}
      call={unanswered ? { isPending: refund.isPending, error: null } : refund}
      errorText={!unanswered && errorText(refund.error)}
      onSubmit={(event) => (unanswered ? send(unanswered) : check(event))}
      onClose={close}
      isDirty={form.values.amount !== '' || form.values.description !== ''}
    >
      <SegmentedControl
        {...form.getInputProps('part')}
        aria-label={t('howMuch')}
        fullWidth
        disabled={unanswered !== null}
        data={[
          { value: 'all', label: t('all', { amount: formats.reais(refundable.amount) }) },
          { value: 'some', label: t('some') },
        ]}
      />
      {form.values.part === 'some' && !unanswered && (
        <AmountInput
          {...form.getInputProps('amount')}
          value={form.values.amount}
          label={t('amount')}
          ownMaximum={refundable.amount}
        />
      )}
      <TextInput
        {...form.getInputProps('description')}
        {...(unanswered && { value: unanswered.description ?? '' })}
        label={t('description')}
        description={t('descriptionHint')}
        disabled={unanswered !== null}
        maxLength={PIX_DESCRIPTION_LENGTH_MAX}
      />
      <Sum
        lines={[
          { text: t('toPayer'), reais: amount },
          { text: t('fromBalance'), reais: amount === null ? null : -amount, isTotal: true },
        ]}
      />
      <Muted fz={13}>
        {fee > 0 && `${t('feeStays', { fee: formats.reais(fee) })} `}
        {split && `${t('splitStays', { amount: formats.reais(split.amount) })} `}
        {t('until', { at: formats.instant(refundable.until) })}
      </Muted>
      {unanswered && !refund.isPending && (
        <Alert color="yellow" variant="light" role="alert">
          {t('undecided')}
        </Alert>
      )}
    </FormDialog>
  );
}
