import { Button, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { ErrorAlert } from '#panel/shell/error-alert.tsx';
import type { useAuthCall } from './use-auth-call.ts';

type Props = {
  call: Pick<ReturnType<typeof useAuthCall>, 'busy' | 'text'>;
  /** Gets what was typed, by the fields' names. */
  onSubmit: (values: Record<string, string>) => unknown;
  submit: string;
  /** Of what can't be undone. */
  isDanger?: boolean;
  /** Not what most come to the page for. */
  isQuiet?: boolean;
  /** The way out, beside the button. */
  back?: ReactNode;
  /** Besides the rejection's own words. */
  errorText?: ReactNode;
  children: ReactNode;
};

/** Fields that the sign-in takes, why it rejected them, and the button. */
export const AuthForm = ({ call, onSubmit, submit, isDanger, isQuiet, back, errorText, children }: Props) => (
  <form
    onSubmit={(event) => {
      event.preventDefault();
      onSubmit(Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>);
    }}
  >
    <Stack gap="sm">
      <ErrorAlert text={errorText || call.text} />
      {children}
      <Group justify="space-between" grow={!back && !isQuiet}>
        {back}
        <Button
          type="submit"
          loading={call.busy}
          {...(isDanger && { color: 'red' })}
          variant={isQuiet ? 'default' : 'filled'}
        >
          {submit}
        </Button>
      </Group>
    </Stack>
  </form>
);
