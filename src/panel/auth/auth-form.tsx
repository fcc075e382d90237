import { Group, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { ErrorAlert } from '#panel/shell/error-alert.tsx';
import { SubmitButton } from './submit-button.tsx';
import type { useAuthCall } from './use-auth-call.ts';

type Props = {
  call: Pick<ReturnType<typeof useAuthCall>, 'isPending' | 'text'>;
  /** Called with what was typed, by the fields' names. */
  onSubmit: (values: Record<string, string>) => unknown;
  submit: string;
  /** Without emphasis: most come to the page for something else. */
  isQuiet?: boolean;
  /** Leads back; shown beside the button. */
  back?: ReactNode;
  children: ReactNode;
};

/** A form that calls the sign-in: its error, its fields, and the button. */
export const AuthForm = ({ call, onSubmit, submit, isQuiet, back, children }: Props) => (
  <form
    // By GET, the default, a browser that submits it without our scripts puts the password into the
    // address.
    method="post"
    onSubmit={(event) => {
      event.preventDefault();
      onSubmit(typedValues(event));
    }}
  >
    <Stack gap="sm">
      <ErrorAlert text={call.text} />
      {children}
      <Group justify="space-between" grow={!back && !isQuiet}>
        {back}
        <SubmitButton loading={call.isPending} variant={isQuiet ? 'default' : 'filled'}>
          {submit}
        </SubmitButton>
      </Group>
    </Stack>
  </form>
);

/** Returns what was typed, by the fields' names. */
export const typedValues = ({ currentTarget }: FormEvent<HTMLFormElement>) =>
  Object.fromEntries(new FormData(currentTarget)) as Record<string, string>;
