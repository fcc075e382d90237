import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';

/** Says why something was not done; nothing without a text. */
export const ErrorAlert = ({ text }: { text: ReactNode }) =>
  text ? (
    <Alert color="red" variant="light" p="sm" role="alert">
      {text}
    </Alert>
  ) : null;
