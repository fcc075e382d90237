/** Shows the dialog for a code; resolves to whether it was answered. */
type Ask = () => Promise<boolean>;

let asking: Ask = async () => false;
let underway: Promise<boolean> | null = null;

/** Registers the dialog that asks, as long as it is on the page. */
export function answerCodesWith(ask: Ask): void {
  asking = ask;
}

/**
 * Asks the operator for a fresh code; resolves to false without an answer. Calls that ask while the
 * dialog is open share its answer.
 */
export function askCode(): Promise<boolean> {
  underway ??= asking().finally(() => {
    underway = null;
  });
  return underway;
}
