import { Paper, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import classes from './money-form.module.css';
import { useFirstField } from './use-first-field.ts';

type Props = {
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  /** What the amounts come to, beside the fields; on a phone below them. */
  preview: ReactNode;
  actions: ReactNode;
  children: ReactNode;
};

/** The form that a charge and a withdrawal begin with. */
export function MoneyForm({ onSubmit, preview, actions, children }: Props) {
  const firstField = useFirstField<HTMLFormElement>();
  return (
    <form ref={firstField} onSubmit={onSubmit} noValidate className={classes.layout}>
      <Paper withBorder p="lg" className={classes.fields}>
        <Stack gap="md">{children}</Stack>
      </Paper>
      <div className={classes.preview}>{preview}</div>
      <Stack gap="sm" className={classes.actions}>
        {actions}
      </Stack>
    </form>
  );
}
