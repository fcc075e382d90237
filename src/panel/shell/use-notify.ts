import { notifications } from '@mantine/notifications';
import { useErrorText } from './call-error.ts';

/**
 * What a mutation has to say: `done` once it is done (nothing where it is empty), else why it was
 * not.
 */
export function useNotify() {
  const textOf = useErrorText();
  return {
    done: (message: string) => void notifications.show({ message, color: 'green' }),
    failed: (error: unknown) => void notifications.show({ message: textOf(error), color: 'red', role: 'alert' }),
  };
}
