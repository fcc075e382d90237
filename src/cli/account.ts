import { type Command, InvalidArgumentError, Option } from 'commander';
import { listAccounts } from '#db/accounts.ts';
import { parseEmail } from '#domain/contact.ts';
import { documentTypeOf, parseDocument } from '#domain/documents.ts';
import { type Fee, parseFee } from '#domain/fees.ts';
import { isLimitName, LIMIT_NAMES } from '#domain/limits.ts';
import { parseBrl } from '#domain/money.ts';
import type { TransactionType } from '#domain/transaction-states.ts';
import { AccountRefused, openAccount } from '#services/open-account.ts';
import { CommandError, withContext } from './context.ts';
import { print } from './print.ts';

const TRANSACTION_TYPES: readonly TransactionType[] = ['pix_in', 'pix_out', 'crypto_in', 'crypto_out'];

type CreateOptions = {
  name: string;
  email: string;
  document: { text: string; type: 'cpf' | 'cnpj' };
  kyc: 'pending' | 'approved' | 'rejected';
  mode: 'test' | 'live';
  currency?: string;
  fee: { type: TransactionType; fee: Fee }[];
  limit: { name: string; centavos: bigint }[];
  canCreateAccounts?: boolean;
  webhookUrl?: string;
  json?: boolean;
};

export function addAccountCommands(program: Command): void {
  const account = program.command('account').description('merchants’ accounts');
  account
    .command('create')
    .description('open an account with its first API key; key and webhook secret are shown this once')
    .requiredOption('--name <name>', 'the merchant’s name', readName)
    .requiredOption('--email <email>', 'the merchant’s e-mail; an existing merchant gets the account added', readEmail)
    .requiredOption('--document <document>', 'CPF or CNPJ, with or without punctuation', readDocument)
    .addOption(
      new Option('--kyc <status>', 'verification status')
        .choices(['pending', 'approved', 'rejected'])
        .makeOptionMandatory(),
    )
    .addOption(new Option('--mode <mode>', 'real or play money').choices(['test', 'live']).makeOptionMandatory())
    .option('--currency <code>', 'currency of crypto deposits and withdrawals, e.g. USDT_BSC', readCurrency)
    .option('--fee <type=fee>', 'e.g. pix_in=99bps+10 (basis points + centavos); repeatable', readFee, [])
    .option(
      '--limit <name=value>',
      `in BRL, e.g. daily_limit_out_pix=5000.00; repeatable. Names: ${LIMIT_NAMES.join(', ')}`,
      readLimit,
      [],
    )
    .option('--can-create-accounts', 'may open accounts for others over REST')
    .option('--webhook-url <url>', 'where the events of every topic go')
    .option('--json', 'answer in JSON')
    .action(createAccount);
  account
    .command('list')
    .description('all accounts, oldest first')
    .option('--json', 'answer in JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const accounts = await withContext(({ db }) => listAccounts(db));
      print(json, accounts, () =>
        accounts.map((a) => `${a.account_id}  ${a.mode}  ${a.kyc_status.padEnd(8)}  ${a.name} <${a.email}>`),
      );
    });
}

async function createAccount(options: CreateOptions): Promise<void> {
  const opened = await withContext((context) =>
    openAccount(context, {
      name: options.name,
      email: options.email,
      document: options.document.text,
      documentType: options.document.type,
      kycStatus: options.kyc,
      mode: options.mode,
      currency: options.currency ?? null,
      fees: options.fee,
      limits: options.limit,
      canCreateAccounts: options.canCreateAccounts ?? false,
      webhookUrl: options.webhookUrl ?? null,
    }),
  ).catch((error: unknown) => {
    throw error instanceof AccountRefused ? new CommandError(error.message) : error;
  });
  const answer = {
    merchant_id: opened.merchantId,
    account_id: opened.accountId,
    mode: opened.mode,
    api_key: opened.apiKey,
    secret_key: opened.secretKey,
  };
  print(options.json, answer, () => Object.entries(answer).map(([name, value]) => `${name.padEnd(12)} ${value}`));
}

function readName(text: string): string {
  const name = text.trim();
  if (name === '' || name.length > 200) throw new InvalidArgumentError('Give a name of 1 to 200 characters.');
  return name;
}

function readEmail(text: string): string {
  const email = parseEmail(text);
  if (!email) throw new InvalidArgumentError('Give an e-mail address.');
  return email;
}

function readDocument(text: string): CreateOptions['document'] {
  const type = documentTypeOf(text);
  const document = type && parseDocument(text, type);
  if (!type || !document) throw new InvalidArgumentError('Give a CPF or CNPJ whose check digits are right.');
  return { text: document, type };
}

function readCurrency(text: string): string {
  if (!/^[A-Z0-9]{2,10}(_[A-Z0-9]{2,10})?$/.test(text)) throw new InvalidArgumentError('Give a code such as USDT_BSC.');
  return text;
}

function readFee(text: string, before: CreateOptions['fee']): CreateOptions['fee'] {
  const [name, value = ''] = text.split('=', 2);
  const type = TRANSACTION_TYPES.find((known) => known === name);
  const fee = parseFee(value);
  if (!type || !fee)
    throw new InvalidArgumentError(`Give TYPE=FEE, e.g. pix_in=99bps+10; types: ${TRANSACTION_TYPES.join(', ')}.`);
  return [...before.filter((other) => other.type !== type), { type, fee }];
}

function readLimit(text: string, before: CreateOptions['limit']): CreateOptions['limit'] {
  const [name = '', value = ''] = text.split('=', 2);
  const centavos = value === '' ? null : value.match(/^0+(\.0+)?$/) ? 0n : parseBrl(Number(value));
  if (!isLimitName(name) || centavos === null) {
    throw new InvalidArgumentError('Give NAME=VALUE with a value in BRL, e.g. daily_limit_out_pix=5000.00.');
  }
  return [...before.filter((other) => other.name !== name), { name, centavos }];
}
