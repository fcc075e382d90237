/** What whoever operates an installation types to move its sandbox. */
export const SANDBOX_COMMANDS = `npm run --silent trilho -- sandbox pay TRANSACTION_ID
npm run --silent trilho -- sandbox pay TRANSACTION_ID --amount 9.99
npm run --silent trilho -- sandbox pay INVOICE_ID --share 0.5 --unconfirmed
npm run --silent trilho -- sandbox confirm INVOICE_ID
npm run --silent trilho -- sandbox set pix.payout silent_lost`;
