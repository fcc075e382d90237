import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';

/** Why something was not done; nothing while there is nothing to say. */
export const ErrorAlert = ({ text }: { text: ReactNode }) =>
  text ? (
    <Alert color="red" variant="light" p="sm" role="alert">
      {text}
    </Alert>
  ) : null;
