import { SegmentedControl } from '@mantine/core';
import { useLocale, useTranslations } from 'next-intl';
import { useState } from 'react';
import type { ThresholdKind } from '#domain/withdrawals/thresholds.ts';
import { api } from '#panel/api.tsx';
import { AmountInput } from '#panel/money/amount-input.tsx';
import { reaisOfText } from '#panel/money/reais-of-text.ts';
import { FormDialog } from '#panel/shell/form-dialog.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { useNotify } from '#panel/shell/use-notify.ts';
import { useFormats } from '#panel/use-formats.ts';

/**
 * Sets the amount, in reais, above which a threshold applies; it may also apply to all withdrawals
 * or to none.
 */
export function ThresholdDialog(props: { kind: ThresholdKind; amount: number | null; onClose: () => void }) {
  const { kind, amount, onClose } = props;
  const t = useTranslations('panel.thresholds');
  const language = useLocale();
  const formats = useFormats();
  const notify = useNotify();
  const utils = api.useUtils();
  const before = amount === null || amount === 0 ? '' : formats.typedReais(amount);
  const [mode, setMode] = useState<string>(amount === 0 ? 'every' : 'above');
  const [typed, setTyped] = useState(before);
  const [isMissing, setMissing] = useState(false);
  const set = api.thresholds.set.useMutation({
    ...notify.afterDialog(t('saved'), { onClose }),
    onSettled: () => Promise.all([utils.thresholds.get.invalidate(), utils.withdrawalPreview.invalidate()]),
  });
  const wanted = mode === 'every' ? 0 : reaisOfText(typed, language);
  const submit = () => {
    if (mode === 'never') set.mutate({ kind, amount: null });
    else if (wanted === null) setMissing(true);
    else set.mutate({ kind, amount: wanted });
  };
  return (
    <FormDialog
      title={t(`${kind}.dialogTitle`)}
      submit={t('save')}
      call={set}
      onSubmit={submit}
      onClose={onClose}
      isDirty={typed !== before}
    >
      <SegmentedControl
        aria-label={t(`${kind}.mode`)}
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
