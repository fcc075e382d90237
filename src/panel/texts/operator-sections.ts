import type { TextSection } from './sections.ts';

/** The sections of the texts that the console's pages show. */
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
