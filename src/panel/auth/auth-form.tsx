import { Button, Group, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { ErrorAlert } from '#panel/shell/error-alert.tsx';
import type { useAuthCall } from './use-auth-call.ts';

type Props = {
  call: Pick<ReturnType<typeof useAuthCall>, 'isPending' | 'text'>;
  /** Gets what was typed, by the fields' names. */
  onSubmit: (values: Record<string, string>) => unknown;
  submit: string;
  /** Not what most come to the page for. */
  isQuiet?: boolean;
  /** The way out, beside the button. */
  back?: ReactNode;
  /** Besides the rejection's own words. */
  errorText?: ReactNode;
  children: ReactNode;
};

/** Fields that the sign-in takes, why it rejected them, and the button. */
export const AuthForm = ({ call, onSubmit, submit, isQuiet, back, errorText, children }: Props) => (
  <form
    onSubmit={(event) => {
      event.preventDefault();
      onSubmit(typedValues(event));
    }}
  >
    <Stack gap="sm">
      <ErrorAlert text={errorText || call.text} />
      {children}
      <Group justify="space-between" grow={!back && !isQuiet}>
        {back}
        <Button type="submit" loading={call.isPending} variant={isQuiet ? 'default' : 'filled'}>
          {submit}
        </Button>
      </Group>
    </Stack>
  </form>
);

/** What was typed, by the fields' names. */
export const typedValues = ({ currentTarget }: FormEvent<HTMLFormElement>) =>
  Object.fromEntries(new FormData(currentTarget)) as Record<string, string>;
