import { type Command, Option } from 'commander';
import { processEnvironment } from '#config/environment.ts';
import { sandboxClient } from '#config/sandbox-account.ts';
import { PSPS, type Psp } from '#domain/providers/providers.ts';
import { checkPsp, type PspCheck } from '#services/providers/check-psp.ts';
import { findOwnPsp } from '#services/providers/find-own-psp.ts';
import { asId } from './as-id.ts';
import { findSandboxUrl } from './call-sandbox.ts';
import { CommandError, openOwnSecretBox, withContext } from './context.ts';
import { print } from './print.ts';

type PspConnection = Omit<Parameters<typeof checkPsp>[0], 'clock'>;
type CheckOptions = { account?: string; sandbox?: boolean; psp?: Psp; json?: boolean };

/** Adds the commands about the PSP: check. */
export function addPspCommands(program: Command): void {
  program
    .command('psp')
    .description('the PSP, over the central bank’s API Pix')
    .command('check')
    .description(
      'ask the PSP’s reading routes what it can do, and compare with what is documented of it; exit code 1 where Trilho can’t take PIX there',
    )
    .option('--account <id>', 'with this account’s own credentials, in place of the installation’s')
    .option('--sandbox', 'ask the sandbox that runs here')
    .addOption(
      new Option('--psp <name>', 'compare with this profile, in place of the one of the PSP’s host').choices(PSPS),
    )
    .option('--json', 'answer in JSON')
    .action(async (options: CheckOptions) => {
      const psp = await pspOf(options);
      const check = await checkPsp({ ...psp, clock: () => new Date() }, options.psp);
      const { host } = new URL(psp.baseUrl);
      print(options.json, toJson(host, check), () => toLines(host, check));
      if (!check.isUsable) process.exitCode = 1;
    });
}

async function pspOf({ account, sandbox }: CheckOptions): Promise<PspConnection> {
  if (account !== undefined && sandbox) throw new CommandError('Give --account or --sandbox, not both.');
  if (account !== undefined) return pspOfAccount(account);
  const env = processEnvironment();
  if (sandbox) {
    const baseUrl = findSandboxUrl(env);
    return {
      baseUrl,
      ...sandboxClient(openOwnSecretBox(env)),
      payoutUrl: baseUrl,
      disputesUrl: baseUrl,
    };
  }
  if (!env.psp) {
    throw new CommandError(
      'No PSP is set up: set PIX_PSP_URL and the variables beside it, or give --account or --sandbox.',
    );
  }
  return { ...env.psp, payoutUrl: env.payoutUrl ?? null };
}

function pspOfAccount(typedId: string): Promise<PspConnection> {
  const accountId = asId('account', typedId);
  return withContext(async ({ db, secretBox }) => {
    const own = await findOwnPsp({ db, secretBox }, accountId);
    if (!own) {
      throw new CommandError(
        'This account has no credentials of its own: set them with "account set ID --credential api_pix=FILE".',
      );
    }
    if ('sandbox' in own) throw new CommandError('This account is connected to the sandbox: give --sandbox.');
    const { payoutUrl, ...settings } = own;
    return { ...settings, payoutUrl: payoutUrl ?? null };
  });
}

function toJson(host: string, { profile, otherAddress, certificateIssue, findings, isUsable }: PspCheck) {
  return {
    host,
    profile: profile?.name ?? null,
    usable: isUsable,
    documented_address: otherAddress,
    certificate_issue: certificateIssue,
    routes: findings.map(({ name, route, scope, answer, detail, documented, differs, isNeeded }) => ({
      ...{ name, route, scope, answer, detail, needed: isNeeded, differs },
      documented: documented?.value ?? null,
      source: documented?.source ?? null,
    })),
    notes: profile?.notes ?? [],
  };
}

const ANSWERS = {
  can: 'can',
  not_allowed: 'not allowed',
  cannot: 'can’t',
  unclear: 'unclear',
  no_answer: 'no answer',
  not_asked: 'not asked',
};

const CERTIFICATE_ISSUES: Record<NonNullable<PspCheck['certificateIssue']>, string> = {
  certificate_expired: 'The client certificate has expired: ask the PSP for a new one.',
  not_certificate: 'The client certificate is no PEM certificate.',
  not_private_key: 'The private key of the client certificate is no PEM key, or too large.',
  not_key_of_certificate: 'The private key is not that of the client certificate.',
  not_pkcs12: 'The PKCS #12 file can’t be opened with its passphrase.',
};

function toLines(host: string, { profile, otherAddress, certificateIssue, findings, isUsable }: PspCheck): string[] {
  return [
    profile ? `${host}: ${profile.name}` : `${host}: there is no profile of this PSP (${PSPS.join(', ')})`,
    ...(otherAddress ? [`The documented address is ${otherAddress.value} (${otherAddress.source}).`] : []),
    ...(certificateIssue ? [CERTIFICATE_ISSUES[certificateIssue]] : []),
    '',
    row('route', 'answer', 'documented', 'what came back'),
    ...findings.map(({ name, answer, documented, differs, isNeeded, detail, route }) => {
      const says = documented === null ? 'unknown' : documented.value ? 'can' : 'can’t';
      const asked = route === null ? detail : `${route}: ${detail}`;
      return row(isNeeded ? `${name} *` : name, ANSWERS[answer], differs ? `${says} (differs)` : says, asked);
    }),
    '',
    ...(profile?.notes ?? []).map(({ value, source }) => `${value} (${source})`),
    isUsable ? '* What Trilho needs to take PIX is there.' : '* Something that Trilho needs to take PIX is not there.',
  ];
}

const row = (...[name, answer, documented, rest]: [string, string, string, string]) =>
  `${name.padEnd(12)} ${answer.padEnd(12)} ${documented.padEnd(16)} ${rest}`;
