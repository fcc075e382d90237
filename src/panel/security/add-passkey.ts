import { type AuthAnswer, authError } from '#panel/auth/auth-call.ts';
import { hasPasskeys } from '#panel/auth/passkey-sign-in.ts';
import { guardedCall } from './guarded-call.ts';

/**
 * Creates a passkey for the member on this device. The errors are the service's,
 * `passkeyUnsupported` and `passkey`.
 */
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
