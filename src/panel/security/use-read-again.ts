import { api } from '#panel/api.tsx';

/** Returns the function that reads again what the pages show of how a member signs in. */
export function useReadAgain(): () => void {
  const utils = api.useUtils();
  return () => void Promise.all([utils.security.get.invalidate(), utils.session.me.invalidate()]);
}
