import { notifications } from '@mantine/notifications';
import { api } from '#panel/api.tsx';
import { useErrorText } from '#panel/shell/call-error.ts';

/** Has the topics without a URL send to the built-in receiver. */
export function useTestReceiver() {
  const textOf = useErrorText();
  const utils = api.useUtils();
  return api.webhooks.setTestReceiver.useMutation({
    onError: (error) => void notifications.show({ message: textOf(error), color: 'red' }),
    async onSettled() {
      await Promise.all([utils.webhooks.invalidate(), utils.firstSteps.invalidate()]);
    },
  });
}
