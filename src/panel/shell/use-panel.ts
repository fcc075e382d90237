import { createContext, useContext } from 'react';
import type { Me } from '#contract/members/session.ts';

type Mode = 'live' | 'test';

/**
 * What every page of the panel knows: the mode it is in, who has signed in, and where the service
 * is (`origin`: scheme, host and port).
 */
type Panel = { mode: Mode; me: Me; origin: string };

export const PanelContext = createContext<Panel | null>(null);

/** With `href`, the address of another page in the same mode. */
export function usePanel(): Panel & { href(path: string): string } {
  const panel = useContext(PanelContext);
  if (!panel) throw new Error('usePanel is for pages inside the panel’s shell.');
  return { ...panel, href: (path) => `/${panel.mode}${path}` };
}
