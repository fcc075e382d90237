import type { OpenAccountInput } from '#services/accounts/open-account.ts';

/**
 * An account in test mode of a verified merchant, without fees, limits or webhooks; the caller adds
 * the name and the e-mail, and what is to differ.
 */
export const PLAIN_ACCOUNT = {
  document: '12345678909',
  documentType: 'cpf',
  kycStatus: 'approved',
  mode: 'test',
  currency: null,
  fees: [],
  limits: [],
  canCreateAccounts: false,
  webhookUrl: null,
} as const satisfies Partial<OpenAccountInput>;
