import { readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { listAccounts } from '#db/accounts/accounts.ts';
import { type Fee, parseFee } from '#domain/accounts/fees.ts';
import { isLimitName, LIMIT_NAMES, parseLimit } from '#domain/accounts/limits.ts';
import { RATE_BPS_MAX } from '#domain/accounts/terms-change.ts';
import { CURRENCY_CODES, isCurrencyCode } from '#domain/quotes/currencies.ts';
import { TRANSACTION_TYPES, type TransactionType } from '#domain/transactions/transaction-states.ts';
import { parseEmail } from '#domain/values/contact.ts';
import { documentTypeOf, parseDocument } from '#domain/values/documents.ts';
import { OPERATOR_REASON_LENGTH_MAX } from '#domain/values/reason-lengths.ts';
import { changeTerms } from '#services/accounts/change-terms.ts';
import { AccountRejected, openAccount } from '#services/accounts/open-account.ts';
import { type SetAccountInput, setAccount, termsOf } from '#services/accounts/set-account.ts';
import { parseCredentials } from '#services/providers/parse-credentials.ts';
import { addSuspensionCommands } from './add-suspension-commands.ts';
import { addTermsCommands, rejectTerms } from './add-terms-commands.ts';
import { asId } from './as-id.ts';
import { CommandError, withContext } from './context.ts';
import { invite } from './member.ts';
import { print } from './print.ts';
import { readEffectiveAt } from './read-instant.ts';
import { NAME_LENGTH_MAX, readNameUpTo } from './read-name-up-to.ts';
import { reasonUpTo } from './read-reason.ts';

type LimitOption = SetAccountInput['limits'][number];
type RailOption = { type: TransactionType; active: boolean };
type CredentialOption = SetAccountInput['credentials'][number];

type CreateOptions = {
  name: string;
  email: string;
  document: { text: string; type: 'cpf' | 'cnpj' };
  kyc: 'pending' | 'approved' | 'rejected';
  mode: 'test' | 'live';
  currency?: string;
  fee: { type: TransactionType; fee: Fee }[];
  limit: LimitOption[];
  rail: RailOption[];
  spread?: number;
  tolerance?: number;
  credential: CredentialOption[];
  canCreateAccounts?: boolean;
  webhookUrl?: string;
  invite?: boolean;
  json?: boolean;
};

export function addAccountCommands(program: Command): void {
  const account = program.command('account').description('merchants’ accounts');
  const create = account
    .command('create')
    .description('open an account with its first API key; key and webhook secret are shown this once')
    .requiredOption('--name <name>', 'the merchant’s name', readName)
    .requiredOption(
      '--email <email>',
      'the merchant’s e-mail; an existing merchant gets the account added, and this verification status, and keeps its name',
      readEmail,
    )
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
      `in BRL, e.g. daily_limit_out_pix=5000.00, or none; repeatable. What is not named has the installation’s default (DEFAULT_LIMITS). Names: ${LIMIT_NAMES.join(', ')}`,
      readLimit,
      [],
    )
    .option('--can-create-accounts', 'may open accounts for others over REST')
    .option('--webhook-url <url>', 'where the events of every topic go')
    .option('--invite', 'invite the merchant’s e-mail to sign in, as "member invite" does')
    .option('--json', 'answer in JSON');
  addTermsOptions(create);
  create.action(createAccount);

  const set = account
    .command('set <accountId>')
    .description('change what is agreed with an account; what is not named stays as it is')
    .option('--name <name>', 'the merchant’s name', readName)
    .option('--email <email>', 'the merchant’s e-mail', readEmail)
    .option('--document <document>', 'CPF or CNPJ, with or without punctuation', readDocument)
    .addOption(new Option('--kyc <status>', 'verification status').choices(['pending', 'approved', 'rejected']))
    .option('--currency <code>', 'currency of crypto deposits and withdrawals, or none', readCurrencyOrNone)
    .option('--fee <type=fee>', 'e.g. pix_out=99bps+10; repeatable', readFee, [])
    .option('--limit <name=value>', 'in BRL, none, or default (the installation’s); repeatable', readLimit, [])
    .option('--can-create-accounts [on|off]', 'may open accounts for others over REST', readSwitch)
    .option('--webhook-url <url>', 'where the events of every topic go')
    .option('--reason <text>', 'why the terms change, for their history', reasonUpTo(OPERATOR_REASON_LENGTH_MAX))
    .option(
      '--from <day>',
      'fees, limits, spread and tolerance alone: from this day of São Paulo on (YYYY-MM-DD), or this instant (ISO 8601)',
      readEffectiveAt,
    )
    .option('--json', 'answer in JSON');
  addTermsOptions(set);
  set.action(changeAccount);
  addTermsCommands(account);
  addSuspensionCommands(account);
  account
    .command('list')
    .description('all accounts, oldest first')
    .option('--json', 'answer in JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const accounts = await withContext(({ db }) => listAccounts(db));
      print(json, accounts, () =>
        accounts.length === 0
          ? ['There is no account yet: "account create" opens one.']
          : accounts.map(
              (a) =>
                `${a.account_id}  ${a.mode}  ${a.kyc_status.padEnd(8)}  ${a.name} <${a.email}>${a.suspended_at ? '  suspended' : ''}`,
            ),
      );
    });
}

async function createAccount(options: CreateOptions): Promise<void> {
  const opened = await withContext(async (context) => {
    const account = await openAccount(context, {
      inactiveRails: options.rail.filter(({ active }) => !active).map(({ type }) => type),
      ...(options.spread === undefined ? {} : { spreadBps: options.spread }),
      ...(options.tolerance === undefined ? {} : { toleranceBps: options.tolerance }),
      credentials: options.credential,
      name: options.name,
      email: options.email,
      document: options.document.text,
      documentType: options.document.type,
      kycStatus: options.kyc,
      mode: options.mode,
      currency: options.currency ?? null,
      fees: options.fee,
      limits: options.limit.flatMap(({ name, centavos }) => (centavos === 'default' ? [] : [{ name, centavos }])),
      canCreateAccounts: options.canCreateAccounts ?? false,
      webhookUrl: options.webhookUrl ?? null,
    });
    // The account is open, and its key is shown this once, whatever becomes of the invitation.
    const invited = options.invite
      ? await invite(
          context,
          { id: account.merchantId },
          { email: options.email, role: 'owner', language: 'pt-BR' },
        ).then(
          () => null,
          (error: unknown) => error,
        )
      : null;
    return { ...account, invited };
  }).catch((error: unknown) => {
    throw error instanceof AccountRejected ? new CommandError(error.message) : error;
  });
  const answer = {
    merchant_id: opened.merchantId,
    account_id: opened.accountId,
    mode: opened.mode,
    api_key: opened.apiKey,
    secret_key: opened.secretKey,
  };
  print(options.json, answer, () => Object.entries(answer).map(([name, value]) => `${name.padEnd(12)} ${value}`));
  if (opened.invited) throw opened.invited;
}

type SetOptions = Partial<Omit<CreateOptions, 'mode' | 'currency' | 'canCreateAccounts'>> & {
  currency?: string | null;
  canCreateAccounts?: boolean;
  reason?: string;
  from?: Date;
};

async function changeAccount(typedId: string, options: SetOptions): Promise<void> {
  const accountId = asId('account', typedId);
  const { document, kyc, canCreateAccounts, currency, spread, tolerance } = options;
  const input: SetAccountInput = {
    accountId,
    merchant: {
      ...(options.name === undefined ? {} : { name: options.name }),
      ...(options.email === undefined ? {} : { email: options.email }),
      ...(document === undefined ? {} : { document: document.text, documentType: document.type }),
      ...(kyc === undefined ? {} : { kycStatus: kyc }),
      ...(canCreateAccounts === undefined ? {} : { canCreateAccounts }),
    },
    account: {
      ...(currency === undefined ? {} : { currency }),
      ...(spread === undefined ? {} : { spreadBps: spread }),
      ...(tolerance === undefined ? {} : { toleranceBps: tolerance }),
    },
    fees: options.fee ?? [],
    limits: options.limit ?? [],
    rails: options.rail ?? [],
    webhookUrl: options.webhookUrl,
    credentials: options.credential ?? [],
    reason: options.reason ?? null,
  };
  if (options.from !== undefined) return planTerms(accountId, input, options.from, options.json);
  const { merchant, account, fees, limits, rails, credentials } = input;
  const changes = [Object.keys(merchant), Object.keys(account), fees, limits, rails, credentials].flat();
  if (changes.length === 0 && input.webhookUrl === undefined)
    throw new CommandError('Say what changes: "account set --help" lists what can.');
  const found = await withContext((context) => setAccount(context, input)).catch((error: unknown) => {
    throw error instanceof AccountRejected ? new CommandError(error.message) : error;
  });
  if (!found) throw new CommandError('There is no account with this id: "account list" shows them all.');
  print(options.json, { account_id: accountId, changed: true }, () => [`Changed ${accountId}.`]);
}

/** Plans the options that `--from` allows: the rest of an account can only change at once. */
async function planTerms(accountId: string, input: SetAccountInput, from: Date, json?: boolean): Promise<void> {
  const { merchant, account, rails, webhookUrl, credentials } = input;
  const others = [...Object.keys(merchant), ...rails, ...credentials];
  if (others.length > 0 || account.currency !== undefined || webhookUrl !== undefined) {
    throw new CommandError(
      'Only fees, limits, spread and tolerance can change later: leave --from, or the others, out.',
    );
  }
  const asked = { accountId, terms: termsOf(input), effectiveAt: from, reason: input.reason ?? null };
  const id = await withContext((context) => changeTerms(context, asked)).catch(rejectTerms);
  print(json, { account_id: accountId, change_id: id, effective_from: from.toISOString() }, () => [
    `From ${from.toISOString()} on ${accountId} has other terms; "account cancel-terms ${accountId} ${id}" cancels that.`,
  ]);
}

/** Adds the options that `create` and `set` share. */
function addTermsOptions(command: Command): void {
  command
    .option(
      '--rail <type=on|off>',
      'e.g. pix_out=off: an account without an active credential; repeatable',
      readRail,
      [],
    )
    .option('--spread <bps>', 'what quotes are moved by against payer and receiver, in basis points', readBps)
    .option('--tolerance <bps>', 'how far from an invoice’s amount a crypto payment may be, in basis points', readBps)
    .option(
      '--credential <kind=file|off>',
      'the account’s own credentials with a provider: api_pix=FILE.json or plisio=FILE.json; repeatable',
      readCredential,
      [],
    );
}

function readRail(text: string, before: RailOption[]): RailOption[] {
  const [name, value] = splitSetting(text);
  const type = TRANSACTION_TYPES.find((known) => known === name);
  if (!type || (value !== 'on' && value !== 'off'))
    throw new InvalidArgumentError(`Give TYPE=on or TYPE=off; types: ${TRANSACTION_TYPES.join(', ')}.`);
  return [...before.filter((other) => other.type !== type), { type, active: value === 'on' }];
}

function readBps(text: string): number {
  const bps = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  if (!(bps <= RATE_BPS_MAX))
    throw new InvalidArgumentError(`Give basis points from 0 to ${RATE_BPS_MAX}; 100 are 1 %.`);
  return bps;
}

/**
 * From a file: a secret in the command line is in the shell's history and in the list of processes.
 */
function readCredential(text: string, before: CredentialOption[]): CredentialOption[] {
  const [kind, path] = splitSetting(text);
  if (kind !== 'api_pix' && kind !== 'plisio')
    throw new InvalidArgumentError('Give api_pix=FILE.json or plisio=FILE.json, or =off.');
  const others = before.filter((other) => other.kind !== kind);
  if (path === 'off') return [...others, { kind, value: null }];
  const parsed = parseCredentials(kind, readJson(path));
  if (!parsed.ok) {
    throw new InvalidArgumentError(
      `The file ${path} holds no credentials of kind ${kind}: wrong or missing ${parsed.fields.join(', ')}.`,
    );
  }
  return [...others, { kind, value: parsed.value }];
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    throw new InvalidArgumentError(`The file ${path} can’t be read, or is no JSON.`);
  }
}

function readSwitch(text: string): boolean {
  if (text !== 'on' && text !== 'off') throw new InvalidArgumentError('Give on or off.');
  return text === 'on';
}

const readCurrencyOrNone = (text: string): string | null => (text === 'none' ? null : readCurrency(text));

const readName = readNameUpTo(NAME_LENGTH_MAX);

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
  if (!isCurrencyCode(text)) throw new InvalidArgumentError(`Give one of: ${CURRENCY_CODES.join(', ')}.`);
  return text;
}

function readFee(text: string, before: CreateOptions['fee']): CreateOptions['fee'] {
  const [name, value] = splitSetting(text);
  const type = TRANSACTION_TYPES.find((known) => known === name);
  const fee = parseFee(value);
  if (!type || !fee)
    throw new InvalidArgumentError(`Give TYPE=FEE, e.g. pix_in=99bps+10; types: ${TRANSACTION_TYPES.join(', ')}.`);
  return [...before.filter((other) => other.type !== type), { type, fee }];
}

function readLimit(text: string, before: LimitOption[]): LimitOption[] {
  const [name, value] = splitSetting(text);
  const centavos = value === 'default' ? value : parseLimit(value);
  if (!isLimitName(name) || centavos === undefined) {
    throw new InvalidArgumentError(
      `Give NAME=VALUE with a value in BRL, e.g. daily_limit_out_pix=5000.00, or none, or default; names: ${LIMIT_NAMES.join(', ')}.`,
    );
  }
  return [...before.filter((other) => other.name !== name), { name, centavos }];
}

/** Splits NAME=VALUE at its first equals sign: the path of a file may have others. */
function splitSetting(text: string): [name: string, value: string] {
  const end = text.indexOf('=');
  return end === -1 ? [text, ''] : [text.slice(0, end), text.slice(end + 1)];
}
