import { SegmentedControl } from '@mantine/core';
import { useLocale, useTranslations } from 'next-intl';
import { useState } from 'react';
import { api } from '#panel/api.tsx';
import { AmountInput } from '#panel/money/amount-input.tsx';
import { reaisOfText } from '#panel/money/reais-of-text.ts';
import { FormDialog } from '#panel/shell/form-dialog.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { useNotify } from '#panel/shell/use-notify.ts';
import { useFormats } from '#panel/use-formats.ts';

/** Sets the amount above which withdrawals wait, or that none does. In reais. */
export function ThresholdDialog({ amount, onClose }: { amount: number | null; onClose: () => void }) {
  const t = useTranslations('panel.terms.approvals');
  const language = useLocale();
  const formats = useFormats();
  const notify = useNotify();
  const utils = api.useUtils();
  const before = amount === null || amount === 0 ? '' : formats.typedReais(amount);
  const [mode, setMode] = useState<string>(amount === 0 ? 'every' : 'above');
  const [typed, setTyped] = useState(before);
  const [isMissing, setMissing] = useState(false);
  const set = api.approvals.setThreshold.useMutation({
    onSuccess() {
      notify.done(t('saved'));
      onClose();
    },
    onSettled: () => Promise.all([utils.approvals.threshold.invalidate(), utils.withdrawalPreview.invalidate()]),
  });
  const wanted = mode === 'every' ? 0 : reaisOfText(typed, language);
  const submit = () => {
    if (mode === 'never') set.mutate({ amount: null });
    else if (wanted === null) setMissing(true);
    else set.mutate({ amount: wanted });
  };
  return (
    <FormDialog
      title={t('dialogTitle')}
      submit={t('save')}
      call={set}
      onSubmit={submit}
      onClose={onClose}
      isDirty={typed !== before}
    >
      <SegmentedControl
        aria-label={t('mode')}
        value={mode}
        onChange={setMode}
        fullWidth
        data={[
          { value: 'every', label: t('every') },
          { value: 'above', label: t('aboveAmount') },
          { value: 'never', label: t('never') },
        ]}
      />
      {mode === 'above' && (
        <AmountInput
          value={typed}
          onChange={setTyped}
          label={t('amount')}
          error={isMissing && wanted === null && t('amountMissing')}
        />
      )}
      <Muted fz={13}>{t('rule')}</Muted>
    </FormDialog>
  );
}
