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
  'panel.keys.permissions',
  'panel.kyc',
  'panel.providers.names',
  'panel.reconciliation',
  'panel.security',
  'panel.transactions',
  'panel.webhooks.receiver',
  'panel.webhooks.states',
  'panel.webhooks.topics',
  'panel.terms',
] as const satisfies readonly TextSection[];
