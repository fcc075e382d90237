import { type AuthAnswer, authError } from '#panel/auth/auth-call.ts';
import { hasPasskeys } from '#panel/auth/passkey-sign-in.ts';
import { guardedCall } from './guarded-call.ts';

/** Has this device make a passkey for the member. */
export async function addPasskey(name: string): Promise<AuthAnswer> {
  if (!hasPasskeys()) return authError('passkeyUnsupported');
  const asked = await guardedCall('/passkey/generate-register-options');
  if (!asked.ok) return asked;
  try {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
      asked.data as unknown as PublicKeyCredentialCreationOptionsJSON,
    );
    const credential = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential | null;
    if (!credential) return authError('passkey');
    return await guardedCall('/passkey/verify-registration', { response: credential.toJSON(), name });
  } catch {
    return authError('passkey');
  }
}
