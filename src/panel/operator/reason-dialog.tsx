import { Text, Textarea } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { OPERATOR_REASON_LENGTH_MAX } from '#domain/values/reason-lengths.ts';
import { fieldIssues } from '#panel/shell/call-error.ts';
import { FormDialog } from '#panel/shell/form-dialog.tsx';
import { useIssueText } from '#panel/shell/use-issue-text.ts';

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
  /** Something was typed into the further fields. */
  isDirty?: boolean;
  onSubmit: (reason: string) => void;
  onClose: () => void;
  /** Further fields, above the reason. */
  children?: ReactNode;
}) {
  const { text, children, onSubmit, isDirty = false, ...dialog } = props;
  const t = useTranslations('operator');
  const issueText = useIssueText();
  const [reason, setReason] = useState('');
  const [isMissing, setMissing] = useState(false);
  const { reason: issue } = fieldIssues(props.call.error);
  const submit = () => (reason.trim() === '' ? setMissing(true) : onSubmit(reason.trim()));
  return (
    <FormDialog {...dialog} onSubmit={submit} isDirty={isDirty || reason !== ''}>
      {text && <Text fz="sm">{text}</Text>}
      {children}
      <Textarea
        label={t('reason')}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
        maxLength={OPERATOR_REASON_LENGTH_MAX}
        error={isMissing && reason.trim() === '' ? t('reasonMissing') : issue && issueText(issue)}
        autosize
        minRows={2}
        required
      />
    </FormDialog>
  );
}
