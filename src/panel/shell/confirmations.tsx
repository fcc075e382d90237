import { Suspense, useEffect, useState } from 'react';
import { lazyPart } from '#panel/connection/lazy-part.ts';
import type { ApprovalRequest } from './approval.ts';

// Most visits need no second factor: the dialog, with its inputs, is loaded when it is asked for.
const ConfirmationDialog = lazyPart(() => import('./confirmation-dialog.tsx'), 'ConfirmationDialog');

type Question = { request: ApprovalRequest; answer: (confirmed: boolean) => void };

/** Passes a question to the dialog; null while none is on the page. */
let ask: ((question: Question) => void) | null = null;
let underway: Promise<boolean> | null = null;

/**
 * Asks the member for a fresh second factor, one question at a time. Resolves to whether they
 * confirmed; false without a dialog on the page.
 */
export function askConfirmation(request: ApprovalRequest): Promise<boolean> {
  underway ??= new Promise<boolean>((answer) => (ask ? ask({ request, answer }) : answer(false))).finally(() => {
    underway = null;
  });
  return underway;
}

/** Shows the dialog for a fresh second factor when a call says that it needs one. */
export function Confirmations() {
  const [question, setQuestion] = useState<Question | null>(null);
  useEffect(() => {
    ask = setQuestion;
    return () => {
      if (ask === setQuestion) ask = null;
    };
  }, []);
  // A page that is left answers its question, so that the next one can be asked.
  useEffect(() => () => question?.answer(false), [question]);
  if (!question) return null;
  const close = (confirmed: boolean) => {
    question.answer(confirmed);
    setQuestion(null);
  };
  return (
    <Suspense fallback={null}>
      <ConfirmationDialog request={question.request} onAnswer={close} />
    </Suspense>
  );
}
