/**
 * The panel's pages, each with the procedure that it needs. A member who may not call the procedure
 * does not see the page, and its address answers 404 as an unknown one does.
 */
export const PAGE_NEEDS = {
  '/inicio': 'overview.get',
  '/transacoes': 'transactions.list',
  '/clientes': 'customers.list',
  '/sem-cobranca': 'unmatched.inbox',
  '/extrato': 'statement.get',
  '/disputas': 'disputes.list',
  '/cobrar': 'charges.create',
  '/sacar': 'withdrawalPreview.get',
  '/lotes': 'batches.list',
  '/chaves': 'keys.list',
  '/webhooks': 'webhooks.overview',
  '/requisicoes': 'requests.list',
  '/provedores': 'providers.get',
  '/sandbox': 'sandbox.command',
  '/br-code': 'session.me',
  '/verificacao': 'kyc.get',
  '/conciliacao': 'reconciliation.list',
  '/prova': 'proof.get',
  '/limites': 'terms.get',
  '/favorecidos': 'payees.list',
  '/seguranca': 'security.get',
  '/preferencias': 'preferences.get',
  '/comecar': 'firstSteps.get',
} as const satisfies Record<string, string>;

export type PagePath = keyof typeof PAGE_NEEDS;

/** Returns the page of an address without its mode, or null where it belongs to none. */
export function pageOf(path: string): PagePath | null {
  const first = `/${path.split(/[/?]/)[1] ?? ''}`;
  return Object.hasOwn(PAGE_NEEDS, first) ? (first as PagePath) : null;
}
