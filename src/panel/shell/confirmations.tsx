import { Suspense, useEffect, useState } from 'react';
import { lazyPart } from '#panel/connection/lazy-part.ts';
import type { ApprovalRequest } from './approval.ts';
import { answerConfirmationsWith } from './confirmation-request.ts';

// Most visits need no second factor: the dialog, with its inputs, is loaded when it is asked for.
const ConfirmationDialog = lazyPart(() => import('./confirmation-dialog.tsx'), 'ConfirmationDialog');

type Question = { request: ApprovalRequest; answer: (confirmed: boolean) => void };

/** Shows the dialog for a fresh second factor when a call says that it needs one. */
export function Confirmations() {
  const [question, setQuestion] = useState<Question | null>(null);
  useEffect(() => answerConfirmationsWith((request) => new Promise((answer) => setQuestion({ request, answer }))), []);
  if (!question) return null;
  const close = (confirmed: boolean) => {
    setQuestion(null);
    question.answer(confirmed);
  };
  return (
    <Suspense fallback={null}>
      <ConfirmationDialog request={question.request} onAnswer={close} />
    </Suspense>
  );
}
