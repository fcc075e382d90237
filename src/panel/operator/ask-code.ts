/** Puts the question for a code on the page; resolves to whether it was answered. */
type Ask = () => Promise<boolean>;

let asking: Ask = async () => false;

/** The dialog that asks, as long as it is on the page. */
export function answerCodesWith(ask: Ask): void {
  asking = ask;
}

/** Asks the operator for a fresh code. */
export const askCode = (): Promise<boolean> => asking();
