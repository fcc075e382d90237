import { authCall } from './auth-call.ts';

/** Whether this browser supports passkeys in the way in which we ask for them. */
export const hasPasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential;

/**
 * Asks the member for a passkey: to sign in, or with `confirm` to confirm in their session. Returns
 * false when they dismiss the dialog, have none here, or the service rejects it.
 */
export async function askForPasskey(options: { confirm: boolean }): Promise<boolean> {
  const asked = await authCall('/passkey/generate-authenticate-options');
  if (!asked.ok) return false;
  try {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
      asked.data as unknown as PublicKeyCredentialRequestOptionsJSON,
    );
    const credential = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential | null;
    if (!credential) return false;
    const headers: Record<string, string> = options.confirm ? { 'x-trilho-confirm': '1' } : {};
    const answer = await authCall('/passkey/verify-authentication', { response: credential.toJSON() }, headers);
    return answer.ok;
  } catch {
    // The member dismissed the browser's dialog, or has no passkey here.
    return false;
  }
}
