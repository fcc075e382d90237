import { notifications } from '@mantine/notifications';
import { useErrorText } from './call-error.ts';

/**
 * Notifies of a mutation: that it was done, or why it was not. `say` replaces the general text of
 * an error.
 */
export function useNotify(say?: (error: unknown) => string) {
  const general = useErrorText();
  const textOf = say ?? general;
  const done = (message: string) => void notifications.show({ message, color: 'green' });
  const failed = (error: unknown) => void notifications.show({ message: textOf(error), color: 'red', role: 'alert' });
  /** Options of a mutation that notify of both; `refresh` reads again what it changed. */
  const after = <Data>(message: string | ((data: Data) => string), refresh?: () => Promise<unknown>) => ({
    async onSuccess(data: Data) {
      done(typeof message === 'string' ? message : message(data));
      await refresh?.();
    },
    onError: failed,
  });
  /**
   * Options of a dialog's mutation: what it changed is read again, then the dialog closes. The
   * dialog itself shows why something was not done.
   */
  const afterDialog = (message: string, on: { refresh?: () => Promise<unknown>; onClose: () => void }) => ({
    async onSuccess() {
      await on.refresh?.();
      done(message);
      on.onClose();
    },
  });
  return { done, failed, after, afterDialog };
}
