import type { ApprovalRequest } from './approval.ts';

/** Asks whoever shows the dialog; resolves to whether the member has confirmed. */
type Ask = (request: ApprovalRequest) => Promise<boolean>;

let ask: Ask = async () => false;

/** The dialog says that it is there; gives the function that takes it back. */
export function answerConfirmationsWith(dialog: Ask): () => void {
  ask = dialog;
  return () => {
    if (ask === dialog) ask = async () => false;
  };
}

/** Asks the member for a fresh second factor, one question at a time, and says what for. */
export function askConfirmation(request: ApprovalRequest): Promise<boolean> {
  underway ??= ask(request).finally(() => {
    underway = null;
  });
  return underway;
}

let underway: Promise<boolean> | null = null;
