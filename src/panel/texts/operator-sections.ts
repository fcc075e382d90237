import type { TextSection } from './sections.ts';

/** What the console's pages say, besides what every page may have to say. */
export const OPERATOR_SECTIONS = [
  'connection',
  'error',
  'errors',
  'formats',
  'issues',
  'auth',
  'operator',
  'panel.shell',
  'panel.kyc',
  'panel.reconciliation',
  'panel.security',
  'panel.transactions',
  'panel.webhooks.receiver',
  'panel.webhooks.states',
  'panel.terms',
] as const satisfies readonly TextSection[];
