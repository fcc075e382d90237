import { Suspense, useEffect, useRef, useState } from 'react';
import { lazyPart } from '#panel/connection/lazy-part.ts';
import type { ApprovalRequest } from './approval.ts';
import { answerConfirmationsWith } from './confirmation-request.ts';

// Most visits need no second factor: the dialog, with its inputs, is loaded when it is asked for.
const ConfirmationDialog = lazyPart(() => import('./confirmation-dialog.tsx'), 'ConfirmationDialog');

/** Shows the dialog for a fresh second factor when a call says that it needs one. */
export function Confirmations() {
  const answer = useRef<((confirmed: boolean) => void) | null>(null);
  const [open, setOpen] = useState(false);
  // Stays while the dialog closes, so that it does not change before it is gone.
  const [request, setRequest] = useState<ApprovalRequest | null>(null);
  useEffect(
    () =>
      answerConfirmationsWith(
        (asked) =>
          new Promise((resolve) => {
            answer.current = resolve;
            setRequest(asked);
            setOpen(true);
          }),
      ),
    [],
  );
  const close = (confirmed: boolean) => {
    setOpen(false);
    answer.current?.(confirmed);
    answer.current = null;
  };
  return (
    <Suspense fallback={null}>
      {request && <ConfirmationDialog open={open} request={request} onAnswer={close} />}
    </Suspense>
  );
}
