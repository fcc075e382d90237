import type { LiveMessage } from '#contract/transactions/live-input.ts';
import { useLive } from './live-stream.tsx';
import { useLiveMessages } from './use-live-messages.ts';

/**
 * Calls `onChange` for every transaction of the account that is created or changes, and `onMissed`
 * when more may have changed than was reported: read the list again. Returns true while changes
 * arrive by themselves; poll otherwise.
 */
export function useLiveTransactions(options: {
  onChange: (transaction: Extract<LiveMessage, { kind: 'transaction' }>['transaction']) => void;
  onMissed: () => void;
}): boolean {
  useLiveMessages((message) => {
    if (message.kind === 'transaction') options.onChange(message.transaction);
    else if (message.kind !== 'notice') options.onMissed();
  });
  return useLive().isLive;
}
