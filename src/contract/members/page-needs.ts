/**
 * The panel's pages, and the procedure without which a page is nothing: who may not call it does
 * not see the page, and gets the answer of an address that there is none of.
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
  '/sandbox': 'sandbox.state',
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

/** The page that an address without its mode is of; null: of none of them. */
export function pageOf(path: string): PagePath | null {
  const first = `/${path.split(/[/?]/)[1] ?? ''}`;
  return Object.hasOwn(PAGE_NEEDS, first) ? (first as PagePath) : null;
}
