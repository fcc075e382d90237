/** Shows the dialog for a code; resolves to whether it was answered. */
type Ask = () => Promise<boolean>;

let asking: Ask = async () => false;

/** Registers the dialog that asks, as long as it is on the page. */
export function answerCodesWith(ask: Ask): void {
  asking = ask;
}

/** Asks the operator for a fresh code; resolves to false without an answer. */
export const askCode = (): Promise<boolean> => asking();
