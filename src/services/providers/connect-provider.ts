import type { CredentialKind } from '#db/accounts/account-terms.ts';
import {
  CredentialsTaken,
  findCredentialOf,
  listCredentialsOfOthers,
  replaceCredential,
  saveCredentialCheck,
} from '#db/accounts/own-credentials.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { invalidField } from '#domain/errors/invalid-field.ts';
import { fieldIssue } from '#domain/errors/issues.ts';
import { PLISIO_BASE_URL } from '#domain/providers/plisio-base-url.ts';
import { type CheckFinding, type Psp, worstAnswer } from '#domain/providers/providers.ts';
import { createGate } from '#domain/requests/gate.ts';
import { fillProfile, type OwnCredentials, type PixForm, providerOf } from '#rails/own-credentials.ts';
import { findCertificateIssue } from '#rails/pix/find-certificate-issue.ts';
import type { ActingMember } from '../api-keys/principal.ts';
import { memberEntry } from '../audit/record-audit.ts';
import type { Deps } from '../deps.ts';
import { prepareOwnChangeNotices } from '../members/notify-change.ts';
import { openCredentials, sameContractAs, sealReplacement } from './seal-credentials.ts';

/** The credentials that a member enters. They are never shown again. */
export type ProviderForm =
  | ({ kind: 'api_pix'; provider: Psp } & Omit<PixForm, 'tls'> & ClientCertificate)
  | ({ kind: 'api_pix'; provider: 'sandbox' } & Pick<PixForm, 'clientId' | 'clientSecret' | 'pixKey'>)
  | { kind: 'plisio'; provider: 'plisio' | 'sandbox'; apiKey: string };

/** PEM and its key, or a PKCS #12 file in base64 with its passphrase. */
type ClientCertificate = {
  certificate: string | null;
  privateKey: string | null;
  pkcs12: string | null;
  passphrase: string | null;
};

/** `connected` is false where the findings show that the credentials can't be used. */
export type ConnectOutcome = { connected: boolean; findings: CheckFinding[] };

/**
 * Checks the credentials at the provider, by reading only, and has a live account use them from
 * then on for new charges, invoices and withdrawals. Earlier credentials stay in use for what was
 * made with them. Every member is notified; the audit has the names of the fields that differ,
 * never a value.
 *
 * Errors: invalid_state (a test account, which uses the sandbox, or the credentials in use have
 * changed meanwhile), invalid_input (a provider that this installation does not offer, a
 * certificate), credentials_taken.
 */
export async function connectProvider(deps: Deps, who: ActingMember, form: ProviderForm): Promise<ConnectOutcome> {
  if (who.mode !== 'live') throw new DomainError('invalid_state');
  const credentials = await readForm(deps, who.accountId, form);
  await rejectTaken(deps, who.accountId, credentials);
  const { accountId } = who;
  const { kind } = credentials;
  const inUse = await findCredentialOf(deps.db, accountId, kind);
  const findings = await deps.rails.checkOwn(credentials);
  if (!isUsable(findings)) return { connected: false, findings };

  const now = deps.clock();
  const sealed = await sealReplacement(deps, accountId, credentials, now);
  const fields = changedFields(credentials, inUse && openCredentials(deps, kind, inUse)).join(' ');
  const notices = await prepareOwnChangeNotices(deps, who);
  const replaced = await replaceCredential(deps.db, {
    accountId,
    kind,
    replaces: inUse?.id ?? null,
    value: {
      ...sealed,
      connectedById: who.member.memberId,
      checkedAt: now,
      checkResult: resultOf(findings),
    },
    now,
    audit: {
      ...memberEntry(deps, who, inUse ? 'credentials.replaced' : 'credentials.connected', {
        kind,
        provider: providerOf(credentials),
        fields,
      }),
      notices: notices(inUse ? 'credentials_replaced' : 'credentials_connected', providerOf(credentials)),
    },
  }).catch((error: unknown) => {
    throw error instanceof CredentialsTaken ? new DomainError('credentials_taken') : error;
  });
  if (!replaced) throw new DomainError('invalid_state');
  deps.rails.refreshOwn(sealed.railId);
  deps.wakeWorkers();
  return { connected: true, findings };
}

/** Checks the credentials in use again. Errors: invalid_state (there are none). */
export async function checkProvider(
  deps: Deps,
  { accountId }: Pick<ActingMember, 'accountId'>,
  kind: CredentialKind,
): Promise<CheckFinding[]> {
  const inUse = await findCredentialOf(deps.db, accountId, kind);
  if (!inUse) throw new DomainError('invalid_state');
  const findings = await deps.rails.checkOwn(openCredentials(deps, kind, inUse));
  await saveCredentialCheck(deps.db, { id: inUse.id, result: resultOf(findings), now: deps.clock() });
  return findings;
}

/** Not every PSP can send. With all other routes charges can be paid all the same. */
const isNeeded = ({ route }: CheckFinding) => route !== 'payouts';
const isUsable = (findings: readonly CheckFinding[]) =>
  findings.every((finding) => !isNeeded(finding) || finding.answer === 'can');
const resultOf = (findings: readonly CheckFinding[]) => worstAnswer(findings.filter(isNeeded));

/** A process inspects a certificate: one at a time for an account, whatever its members send. */
const inspecting = createGate({ running: 1, waiting: 4, waitMs: 10_000 });

/** Makes credentials from a form. Addresses come from the PSP's profile, never from input. */
async function readForm(deps: Deps, accountId: string, form: ProviderForm): Promise<OwnCredentials> {
  const isOfSandbox = form.provider === 'sandbox';
  const offered = deps.settings.sandboxCredentials?.(accountId) ?? null;
  // A demo connects to the sandbox only, and any other installation never connects a live account
  // to it.
  if (isOfSandbox !== (offered !== null)) throw invalidField(fieldIssue('provider', 'not_valid'));
  if (form.kind === 'plisio') {
    const { kind, apiKey } = form;
    return { kind, value: isOfSandbox ? { sandbox: true, apiKey } : { apiKey, baseUrl: PLISIO_BASE_URL } };
  }
  if (form.provider === 'sandbox') {
    const { clientId, clientSecret, pixKey } = form;
    // Another key of the sandbox has the books of another account.
    if (pixKey !== offered?.pixKey) throw invalidField(fieldIssue('pix_key', 'not_valid'));
    return { kind: 'api_pix', value: { sandbox: true, clientId, clientSecret, pixKey } };
  }
  const { kind, provider, clientId, clientSecret, pixKey } = form;
  const tls = tlsOf(form);
  const issue = await inspecting.run(accountId, () => findCertificateIssue(tls, deps.clock()));
  if (issue) throw invalidField(fieldIssue(issue.field, issue.issue));
  const appKey = provider === 'bb' ? form.appKey : null;
  const accountNumber = provider === 'inter' ? form.accountNumber : null;
  return { kind, value: fillProfile(provider, { clientId, clientSecret, pixKey, tls, appKey, accountNumber }) };
}

const tlsOf = ({ certificate, privateKey, pkcs12, passphrase }: ClientCertificate): PixForm['tls'] =>
  pkcs12 === null
    ? { cert: certificate ?? '', key: privateKey ?? '' }
    : { pfx: pkcs12, ...(passphrase && { passphrase }) };

/** Before the provider is asked; what is stored is checked again, with others who store theirs. */
async function rejectTaken(deps: Deps, accountId: string, credentials: OwnCredentials): Promise<void> {
  const others = await listCredentialsOfOthers(deps.db.prisma, accountId, credentials.kind);
  const isTaken = others.some(sameContractAs(deps, credentials));
  if (isTaken || deps.rails.isInstallations(credentials)) throw new DomainError('credentials_taken');
}

/** The names of what differs from the credentials in use; all of them where there are none. */
function changedFields({ value }: OwnCredentials, before: OwnCredentials | null): string[] {
  const old: Record<string, unknown> = { ...before?.value };
  return Object.entries(value)
    .filter(([name, given]) => name !== 'sandbox' && JSON.stringify(given) !== JSON.stringify(old[name]))
    .map(([name]) => name)
    .sort();
}
