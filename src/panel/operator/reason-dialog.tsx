import { Text, Textarea } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { OPERATOR_REASON_LENGTH_MAX } from '#domain/values/reason-lengths.ts';
import { FormDialog } from '#panel/shell/form-dialog.tsx';

/**
 * Asks for a reason before something is done; it is for the audit log, and for whom it concerns.
 */
export function ReasonDialog(props: {
  title: string;
  text?: ReactNode;
  submit: string;
  call: { isPending: boolean; error: unknown };
  errorText?: ReactNode;
  isDanger?: boolean;
  onSubmit: (reason: string) => void;
  onClose: () => void;
  /** Further fields, above the reason. */
  children?: ReactNode;
}) {
  const { text, children, onSubmit, ...dialog } = props;
  const t = useTranslations('operator');
  const [reason, setReason] = useState('');
  const [isMissing, setMissing] = useState(false);
  const submit = () => (reason.trim() === '' ? setMissing(true) : onSubmit(reason.trim()));
  return (
    <FormDialog {...dialog} onSubmit={submit} isDirty={reason !== ''}>
      {text && <Text fz="sm">{text}</Text>}
      {children}
      <Textarea
        label={t('reason')}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
        maxLength={OPERATOR_REASON_LENGTH_MAX}
        error={isMissing && reason.trim() === '' && t('reasonMissing')}
        autosize
        minRows={2}
        required
      />
    </FormDialog>
  );
}
