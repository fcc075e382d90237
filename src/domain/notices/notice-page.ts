import type { NoticeKind } from './notice-kinds.ts';

/** The page on which a change is seen and undone, by the beginning of the change's name. */
const CHANGE_PAGES: readonly (readonly [string, string])[] = [
  ['api_key', '/chaves'],
  ['endpoint', '/webhooks'],
  ['webhook', '/webhooks'],
  ['credentials', '/provedores'],
  ['payee', '/favorecidos'],
  ['approval_threshold', '/limites'],
  ['account', '/inicio'],
];

const PAGES: Record<NoticeKind, (about: { subjectId: string; what: string }) => string> = {
  security_changed: ({ what }) => CHANGE_PAGES.find(([start]) => what.startsWith(start))?.[1] ?? '/seguranca',
  people_changed: () => '/seguranca',
  new_device: () => '/seguranca',
  terms_changed: () => '/limites',
  terms_planned: () => '/limites',
  terms_plan_cancelled: () => '/limites',
  verification_decided: () => '/verificacao',
  withdrawal_failed: ({ subjectId }) => `/transacoes/${subjectId}`,
  withdrawal_waits: ({ subjectId }) => `/transacoes/${subjectId}`,
  batch_waits: ({ subjectId }) => `/lotes/${subjectId}`,
  webhook_failing: () => '/webhooks',
  webhook_disabled: () => '/webhooks',
  limit_nearly_reached: () => '/limites',
  dispute_opened: ({ subjectId }) => `/disputas/${subjectId}`,
  dispute_due_soon: ({ subjectId }) => `/disputas/${subjectId}`,
  reconciliation_differs: ({ subjectId }) => `/conciliacao/${subjectId}`,
};

/**
 * Returns the path of the panel's page for a notice, without its mode. `what` of `params` names the
 * change, where there are several.
 */
export function noticePage(kind: NoticeKind, subjectId: string | null, params: object): string {
  const what = 'what' in params && typeof params.what === 'string' ? params.what : '';
  return PAGES[kind]({ subjectId: subjectId ?? '', what });
}
