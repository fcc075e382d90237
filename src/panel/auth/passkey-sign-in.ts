import { authCall } from './auth-call.ts';

/** Whether this browser can use passkeys in the way we ask for them. */
export const hasPasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential;

/**
 * Has the member use a passkey: to sign in, or with `confirm` to confirm in the session they have.
 * False when they did not, or when it is not theirs.
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
