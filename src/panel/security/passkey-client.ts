import { askForPasskey, hasPasskeys } from '#panel/auth/passkey-sign-in.ts';

/** Proves the member by a passkey in the session he has. */
export const confirmWithPasskey = async (): Promise<boolean> =>
  hasPasskeys() && (await askForPasskey({ confirm: true }));
