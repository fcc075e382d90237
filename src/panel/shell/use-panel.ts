import { useContext } from 'react';
import type { Me } from '#contract/members/session.ts';
import { type Mode, PanelContext } from './panel-context.ts';

/**
 * What every page of the panel knows: the mode it is in, who has signed in, the address of another
 * page in the same mode, and where the service is (`origin`: scheme, host and port).
 */
export function usePanel(): { mode: Mode; me: Me; origin: string; href(path: string): string } {
  const panel = useContext(PanelContext);
  if (!panel) throw new Error('usePanel is for pages inside the panel’s shell.');
  return { ...panel, href: (path) => `/${panel.mode}${path}` };
}
