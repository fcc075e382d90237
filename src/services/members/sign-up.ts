import { sealContext } from '#db/encryption/sealed-columns.ts';
import { findAddress, insertLinkMail } from '#db/members/links.ts';
import {
  deleteSignUp,
  findSignUp,
  findSignUpByToken,
  insertSignUp,
  openSignedUp,
  type SignUpRow,
} from '#db/members/sign-up.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { linkTokenHash, newLinkToken } from '#domain/members/link-token.ts';
import type { DocumentType } from '#domain/values/documents.ts';
import type { Language } from '#domain/values/language.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { ownTime } from '../accounts/on-test-clock.ts';
import { PLAIN_ACCOUNT, prepareAccount } from '../accounts/open-account.ts';
import type { Origin } from '../api-keys/principal.ts';
import type { Deps } from '../deps.ts';
import { composeMail, sendMail } from '../mail/send-mail.ts';
import { newMemberEntry, rejectLink } from './new-member.ts';
import { hashNewPassword } from './new-password.ts';
import { demandOpenSignUp, getSignUpPolicy } from './sign-up-policy.ts';

export type SignUpInput = {
  name: string;
  email: string;
  merchantName: string;
  document: { type: DocumentType; number: string };
};

/** What was typed, as it waits for the click. */
type Typed = Omit<SignUpInput, 'document'> & { document: string; documentType: DocumentType; language: Language };

/** As long as the message says. */
const LINK_MS = 3_600_000;

/**
 * Begins a sign-up: stores what was typed, and has a worker write to the address. The same happens
 * for a new address, a member's and a merchant's: neither the response nor its duration reveals
 * which it is. Errors (DomainError): sign_up_closed.
 */
export async function requestSignUp(deps: Deps, input: SignUpInput, language: Language): Promise<void> {
  await demandOpenSignUp(deps);
  const { name, email, merchantName, document } = input;
  const typed: Typed = {
    name,
    email,
    merchantName,
    document: document.number,
    documentType: document.type,
    language,
  };
  const now = ownTime(deps);
  const id = uuidv7(now);
  const sealed = deps.secretBox.seal(JSON.stringify(typed), sealContext('sign_ups.sealed', { id }));
  await insertSignUp(deps.db, { id, sealed, expiresAt: new Date(now.getTime() + LINK_MS), now });
  deps.wakeWorkers();
}

/**
 * Writes the message of a sign-up. A new address gets the link; a known one gets what to do
 * instead, and the sign-up is dropped. It is dropped without a message when the operator has closed
 * sign-ups since. A second run writes no second link.
 */
export async function runSignUp(deps: Deps, id: string): Promise<void> {
  const row = await findSignUp(deps.db, id);
  if (!row) return;
  if ((await getSignUpPolicy(deps)) !== 'open') return deleteSignUp(deps.db, id);
  const { email: to, language } = openTyped(deps, row);
  const known = await findAddress(deps.db, to);
  const { publicUrl } = deps.settings;
  if (known.kind === 'new') {
    const { token, hash } = newLinkToken();
    // Contains nothing that was typed: the sender may be a stranger to the reader.
    const params = { url: `${publicUrl}/cadastro/confirmar?token=${token}` };
    const mail = composeMail(deps, { to, language, template: 'sign_up_link', params });
    await insertLinkMail(deps.db, { table: 'sign_ups', id, tokenHash: hash, mail, now: ownTime(deps) });
    deps.wakeWorkers();
    return;
  }
  if (known.kind === 'member') {
    const params = { name: known.name, url: `${publicUrl}/entrar` };
    await sendMail(deps, { to, language, template: 'already_signed_up', params });
  } else await sendMail(deps, { to, language, template: 'ask_for_invitation', params: { merchant: known.name } });
  await deleteSignUp(deps.db, id);
}

export type SignUpSummary = { name: string; email: string; merchantName: string };

/**
 * What a link would open, for the page of the link. Changes nothing. Errors (DomainError):
 * link_over.
 */
export async function readSignUpLink(deps: Deps, token: string): Promise<SignUpSummary> {
  const { name, email, merchantName } = (await findTyped(deps, token)).typed;
  return { name, email, merchantName };
}

/**
 * Opens a business with the link that proved its address: a live and a test account, and its first
 * member with the password that is chosen now. Errors (DomainError): sign_up_closed, link_over,
 * weak_password, too_many_attempts, already_member, merchant_exists.
 */
export async function completeSignUp(
  deps: Deps,
  input: { token: string; password: string; origin: Origin },
): Promise<{ email: string }> {
  await demandOpenSignUp(deps);
  const { typed, tokenHash } = await findTyped(deps, input.token);
  const { name, email, merchantName, document, documentType } = typed;
  const passwordHash = await hashNewPassword(input.password, { email, names: [name, merchantName] });
  const now = ownTime(deps);
  const accounts = (['live', 'test'] as const).map(
    (mode) =>
      prepareAccount(deps, {
        ...PLAIN_ACCOUNT,
        name: merchantName,
        email,
        document,
        documentType,
        kycStatus: 'pending',
        mode,
        canCreateAccounts: false,
        onlyNewMerchant: mode === 'live',
      }).row,
  );
  const member = { id: uuidv7(now), name, email, passwordHash };
  const audit = newMemberEntry(deps, input.origin, 'member.signed_up');
  await openSignedUp(deps.db, { tokenHash, accounts, member, now, audit }).catch(rejectLink);
  return { email };
}

async function findTyped(deps: Deps, token: string): Promise<{ typed: Typed; tokenHash: Buffer }> {
  const tokenHash = linkTokenHash(token);
  const row = tokenHash && (await findSignUpByToken(deps.db, tokenHash, ownTime(deps)));
  if (!row) throw new DomainError('link_over');
  return { typed: openTyped(deps, row), tokenHash };
}

const openTyped = (deps: Deps, { id, sealed }: SignUpRow): Typed =>
  JSON.parse(deps.secretBox.open(sealed, sealContext('sign_ups.sealed', { id }))) as Typed;
