import { ACCOUNT_PARAMETER } from '#contract/account-header.ts';
import { usePanel } from '#panel/shell/use-panel.ts';

/**
 * Returns the function that makes the address of a file that is sent or taken. It names the account
 * that the page shows: the file must not be another one's, which the browser has chosen since.
 */
export function useFileAddress(): (
  act: 'export' | 'upload',
  file: string,
  query: URLSearchParams | Record<string, string>,
) => string {
  const { mode, me } = usePanel();
  return (act, file, query) => {
    const whole = new URLSearchParams(query);
    whole.set(ACCOUNT_PARAMETER, me.account_id);
    return `/${act}/${mode}/${file}?${whole}`;
  };
}
