/** Commands with which an operator moves the sandbox. */
export const SANDBOX_COMMANDS = `npm run --silent trilho -- sandbox pay TRANSACTION_ID
npm run --silent trilho -- sandbox pay TRANSACTION_ID --amount 9.99
npm run --silent trilho -- sandbox pay INVOICE_ID --share 0.5 --unconfirmed
npm run --silent trilho -- sandbox confirm INVOICE_ID
npm run --silent trilho -- sandbox set pix.payout silent_lost`;

/** Commands of a developer, beside the program that receives the events. */
export const DEVELOPER_COMMANDS = `export TRILHO_URL=https://pay.example.com TRILHO_API_KEY=tr_test_YOUR_KEY
npm run --silent trilho -- listen --forward http://localhost:4000/webhooks
npm run --silent trilho -- trigger pix_in.paid`;
