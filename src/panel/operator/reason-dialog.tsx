import { Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { OPERATOR_REASON_LENGTH_MAX } from '#domain/values/reason-lengths.ts';
import { fieldIssues } from '#panel/shell/call-error.ts';
import { FormDialog } from '#panel/shell/form-dialog.tsx';
import { useIssueText } from '#panel/shell/use-issue-text.ts';
import { useReason } from '#panel/shell/use-reason.tsx';

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
  const { reason: issue } = fieldIssues(props.call.error);
  const reason = useReason({
    label: t('reason'),
    missing: t('reasonMissing'),
    maxLength: OPERATOR_REASON_LENGTH_MAX,
    error: issue && issueText(issue),
    required: true,
  });
  return (
    <FormDialog {...dialog} onSubmit={() => reason.demand(onSubmit)} isDirty={isDirty || reason.isDirty}>
      {text && <Text fz="sm">{text}</Text>}
      {children}
      {reason.field}
    </FormDialog>
  );
}
