import { useNow } from 'next-intl';
import { createContext, useCallback, useContext } from 'react';
import { PAGE_NEEDS, pageOf } from '#contract/members/page-needs.ts';
import type { Me } from '#contract/members/session.ts';
import { serviceClock, serviceNow } from '#panel/connection/service-clock.ts';

type Mode = 'live' | 'test';

/**
 * What every page of the panel knows: the mode it is in, who has signed in, and where the service
 * is (`origin`: scheme, host and port).
 */
type Panel = { mode: Mode; me: Me; origin: string };

export const PanelContext = createContext<Panel | null>(null);

/**
 * Returns the account's time: the service's, which a test clock may have moved ahead. Deadlines,
 * today and periods go by it, whatever the device's clock says.
 */
export function useAccountTime(): () => Date {
  const aheadMs = useAheadMs();
  return useCallback(() => new Date(serviceNow().getTime() + aheadMs), [aheadMs]);
}

/**
 * Returns the account's time, computed again every so many milliseconds: for time that passes while
 * the page is open.
 */
export function useAccountNow(updateInterval: number): Date {
  return new Date(useNow({ updateInterval }).getTime() + serviceClock.aheadMs() + useAheadMs());
}

const useAheadMs = () => (useContext(PanelContext)?.me.test_clock?.ahead_seconds ?? 0) * 1000;

/**
 * The panel's context. `href` returns the address of a page in the same mode, `may` whether the
 * member's role may call a procedure or have a file, `sees` whether it may open a page. Throws
 * outside the panel.
 */
export function usePanel(): Panel & {
  href(path: string): string;
  may(name: string): boolean;
  sees(path: string): boolean;
} {
  const panel = useContext(PanelContext);
  if (!panel) throw new Error('usePanel is for pages inside the panel’s shell.');
  const may = (name: string) => panel.me.may.includes(name);
  const sees = (path: string) => {
    const page = pageOf(path);
    return page === null || may(PAGE_NEEDS[page]);
  };
  return { ...panel, href: (path) => `/${panel.mode}${path}`, may, sees };
}
