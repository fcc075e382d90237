import { api } from '#panel/api.tsx';
import { useNotify } from '#panel/shell/use-notify.ts';

/** Has the topics without a URL send to the built-in receiver. */
export function useTestReceiver() {
  const notify = useNotify();
  const utils = api.useUtils();
  return api.webhooks.setTestReceiver.useMutation({
    onError: notify.failed,
    onSettled: () => Promise.all([utils.webhooks.invalidate(), utils.firstSteps.invalidate()]),
  });
}
