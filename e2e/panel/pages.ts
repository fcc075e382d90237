/** Every page of the panel; a test in src says when one is missing. */
export const PANEL_PAGES = [
  '/inicio',
  '/transacoes',
  '/clientes',
  '/sem-cobranca',
  '/cobrar',
  '/sacar',
  '/lotes',
  '/extrato',
  '/disputas',
  '/conciliacao',
  '/prova',
  '/chaves',
  '/webhooks',
  '/requisicoes',
  '/provedores',
  '/sandbox',
  '/br-code',
  '/verificacao',
  '/limites',
  '/favorecidos',
  '/seguranca',
  '/preferencias',
  '/comecar',
] as const;

/** The pages that need no session. */
export const PAGES_BEFORE_SIGN_IN = [
  '/entrar',
  '/cadastro',
  '/senha',
  '/senha/nova?token=x',
  '/cadastro/confirmar?token=x',
  '/convite?token=x',
] as const;

/**
 * Bytes of JavaScript, gzipped, that a page may load. Payers and people who sign in use phones: it
 * takes a second on a slow network.
 */
export const PUBLIC_JAVASCRIPT_MAX = 180_000;
export const PANEL_JAVASCRIPT_MAX = 300_000;

export const PHONE = { width: 390, height: 844 };
export const DESKTOP = { width: 1440, height: 900 };
