import type { Command } from 'commander';
import { processEnvironment } from '#config/environment.ts';
import { sandboxClient, sandboxControlToken } from '#config/sandbox-account.ts';
import { parseBrl, toDecimal } from '#domain/values/money.ts';
import { isUuid, uuidToTxid } from '#domain/values/uuid.ts';
import { callSandbox, findSandboxUrl } from './call-sandbox.ts';
import { CommandError, openOwnSecretBox } from './context.ts';
import { print } from './print.ts';

type JsonOption = { json?: boolean };
type PayOptions = JsonOption & { amount?: string; share?: string; unconfirmed?: boolean; force?: boolean };

/** A crypto payment as the sandbox's control side answers it. */
const cryptoFields = ({ txHash, received, currency, confirmations }: Record<string, unknown>) => ({
  tx_hash: txHash,
  currency,
  received,
  confirmations,
});

/** Adds the commands that control the sandbox: pay, confirm, set, credentials. */
export function addSandboxCommands(program: Command): void {
  const sandbox = program
    .command('sandbox')
    .description('the sandbox, which simulates payers, the PSP, the crypto processor and the markets');
  sandbox
    .command('pay <transactionId>')
    .description('pay a charge or a crypto invoice, as its payer would')
    .option('--amount <brl>', 'PIX: another amount than the charge’s, e.g. 99.99')
    .option('--share <part>', 'crypto: this part of what is asked for, e.g. 0.5; above 1 it is too much')
    .option('--unconfirmed', 'crypto: seen, not confirmed by the network yet; see "sandbox confirm"')
    .option('--force', 'also when it is paid or expired: real payers do such things')
    .option('--json', 'answer in JSON')
    .action(async (id: string, { amount, share, unconfirmed, force, json }: PayOptions) => {
      if (!isUuid(id)) throw new CommandError('Give the transaction’s id, a uuid, as the API answered it.');
      const centavos = amount === undefined ? undefined : readBrl(amount);
      if (centavos === null) throw new CommandError('Give --amount in BRL with at most two decimals, e.g. 99.99.');
      const payment = await callSandbox('POST', '/pay', {
        txid: uuidToTxid(id),
        ...(centavos === undefined ? {} : { amount: toDecimal(centavos) }),
        ...(share === undefined ? {} : { share }),
        ...(unconfirmed ? { unconfirmed } : {}),
        ...(force ? { force } : {}),
      });
      const pix = 'endToEndId' in payment;
      const answer = pix
        ? { transaction_id: id, end_to_end_id: payment.endToEndId, amount: Number(payment.valor) }
        : { transaction_id: id, ...cryptoFields(payment) };
      print(json, answer, () => [
        pix
          ? `Paid R$ ${payment.valor} (${payment.endToEndId}).`
          : `Paid; ${payment.received} ${payment.currency} received so far, ${payment.confirmations} confirmations.`,
      ]);
    });
  sandbox
    .command('confirm <transactionId>')
    .description('let the network confirm what was paid with --unconfirmed')
    .option('--json', 'answer in JSON')
    .action(async (id: string, { json }: JsonOption) => {
      if (!isUuid(id)) throw new CommandError('Give the transaction’s id, a uuid, as the API answered it.');
      const payment = await callSandbox('POST', '/confirm', { txid: uuidToTxid(id) });
      print(json, { transaction_id: id, ...cryptoFields(payment) }, () => [
        `Confirmed; ${payment.received} ${payment.currency} received.`,
      ]);
    });
  sandbox
    .command('credentials')
    .description(
      'what a client of the simulated PSP needs, as lines that a shell can read: addresses, client, key, control token',
    )
    .option('--json', 'answer in JSON')
    .action(({ json }: JsonOption) => {
      const env = processEnvironment();
      const box = openOwnSecretBox(env);
      const baseUrl = findSandboxUrl(env);
      const { clientId, clientSecret, pixKey, document } = sandboxClient(box);
      const credentials = {
        ...{ base_url: baseUrl, token_url: `${baseUrl}/oauth/token`, client_id: clientId, client_secret: clientSecret },
        ...{ pix_key: pixKey, document, control_url: `${baseUrl}/control`, control_token: sandboxControlToken(box) },
      };
      print(json, credentials, () =>
        Object.entries(credentials).map(([name, value]) => `${name.toUpperCase()}='${value}'`),
      );
    });
  sandbox
    .command('set <switch> <value>')
    .description('how the sandbox behaves, e.g. pix.callback twice; a wrong name or value lists the right ones')
    .option('--json', 'answer in JSON')
    .action(async (name: string, value: string, { json }: JsonOption) => {
      const switches = await callSandbox('PUT', '/switches', { name, value });
      print(json, switches, () => Object.entries(switches).map(([other, state]) => `${other.padEnd(14)} ${state}`));
    });
}

/** Null for a text that is no decimal: as a number, 0x10 would be sixteen reais. */
const readBrl = (text: string): bigint | null => (/^\d+(\.\d+)?$/.test(text) ? parseBrl(Number(text)) : null);
