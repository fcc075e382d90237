import { type AccountMode, findMerchantForSignUp } from '#db/sign-up.ts';
import { parseEmail } from '#domain/contact.ts';
import { documentTypeOf, parseDocument } from '#domain/documents.ts';
import { DomainError } from '#domain/errors.ts';
import type { Deps } from './deps.ts';
import { AccountRefused, openAccount } from './open-account.ts';

export type SignUpInput = { name: string; email: string; password: string; merchantName: string; document: string };

const MODES: readonly AccountMode[] = ['live', 'test'];

/**
 * Makes the merchant of a person who signs up, with a live and a test account; `register` writes the login. An address that has a login
 * already gets a message instead, and the caller sees no difference. A merchant that an operator or an API made under this address, and
 * that has no login yet, is joined: whoever receives its mail is who it is. Before the address is confirmed nobody can sign in.
 */
export async function signUp(
  deps: Deps,
  input: SignUpInput,
  register: (member: { name: string; email: string; password: string; merchantId: string }) => Promise<void>,
): Promise<void> {
  const email = parseEmail(input.email);
  const documentType = documentTypeOf(input.document);
  const document = documentType && parseDocument(input.document, documentType);
  if (!email || !documentType || !document) throw new DomainError('invalid_input');
  const { name, password } = input;
  const known = await findMerchantForSignUp(deps.db, email);
  // `register` makes nothing of a login that exists: for it the merchant does not matter.
  if (known?.isMember) return register({ name, email, password, merchantId: known.merchantId });
  // The business's own address, whose people sign in under theirs: nobody joins them unasked.
  if (known?.hasMember) return;

  let merchantId = known?.merchantId;
  for (const mode of MODES.filter((mode) => !known?.modes.includes(mode))) {
    try {
      const opened = await openAccount(deps, {
        name: input.merchantName,
        email,
        document,
        documentType,
        kycStatus: known?.kycStatus ?? 'pending',
        mode,
        currency: null,
        fees: [],
        limits: [],
        canCreateAccounts: false,
        webhookUrl: null,
        firstKey: false,
      });
      merchantId = opened.merchantId;
    } catch (error) {
      // Two sign-ups of one address at once: the other one made it.
      if (!(error instanceof AccountRefused)) throw error;
    }
  }
  merchantId ??= (await findMerchantForSignUp(deps.db, email))?.merchantId;
  if (!merchantId) throw new DomainError('internal');
  await register({ name, email, password, merchantId });
}
