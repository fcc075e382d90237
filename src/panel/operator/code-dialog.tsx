import { TextInput } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useEffect, useRef, useState } from 'react';
import { FormDialog } from '#panel/shell/form-dialog.tsx';
import { answerCodesWith } from './ask-code.ts';
import { operatorApi } from './operator-api.tsx';

/** Asks for the authenticator's code whenever a call needs a fresh one. */
export function CodeDialog() {
  const t = useTranslations('operator.code');
  const [isOpen, setOpen] = useState(false);
  const [code, setCode] = useState('');
  const answer = useRef<(answered: boolean) => void>(() => {});
  useEffect(() => {
    answerCodesWith(
      () =>
        new Promise((resolve) => {
          answer.current = resolve;
          setCode('');
          setOpen(true);
        }),
    );
    return () => {
      answerCodesWith(async () => false);
      // A dialog that goes away answers its question, so that the next one can be asked.
      answer.current(false);
    };
  }, []);
  const close = (answered: boolean) => {
    setOpen(false);
    answer.current(answered);
  };
  const confirm = operatorApi.session.confirm.useMutation({ onSuccess: () => close(true) });
  if (!isOpen) return null;
  return (
    <FormDialog
      title={t('title')}
      submit={t('confirm')}
      call={confirm}
      onSubmit={() => confirm.mutate({ code })}
      onClose={() => close(false)}
    >
      <TextInput
        label={t('label')}
        value={code}
        onChange={({ currentTarget }) => setCode(currentTarget.value)}
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        data-autofocus
      />
    </FormDialog>
  );
}
