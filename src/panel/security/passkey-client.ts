import type { AuthAnswer } from '#panel/auth/auth-call.ts';
import { askForPasskey, hasPasskeys } from '#panel/auth/passkey-sign-in.ts';
import { guardedCall } from './guarded-call.ts';

/** Confirms the member by a passkey in the session they have. */
export const confirmWithPasskey = async (): Promise<boolean> =>
  hasPasskeys() && (await askForPasskey({ confirm: true }));

const rejected = (error: string): AuthAnswer => ({ ok: false, error, params: {}, fields: {} });

/** Has this device make a passkey for the member. */
export async function addPasskey(name: string): Promise<AuthAnswer> {
  if (!hasPasskeys()) return rejected('passkeyUnsupported');
  const asked = await guardedCall('/passkey/generate-register-options');
  if (!asked.ok) return asked;
  try {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
      asked.data as unknown as PublicKeyCredentialCreationOptionsJSON,
    );
    const credential = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential | null;
    if (!credential) return rejected('passkey');
    return await guardedCall('/passkey/verify-registration', { response: credential.toJSON(), name });
  } catch {
    return rejected('passkey');
  }
}
