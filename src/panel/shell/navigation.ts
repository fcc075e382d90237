import {
  IconAddressBook,
  IconAdjustmentsHorizontal,
  IconAppWindow,
  IconArrowUp,
  IconCertificate,
  IconCheck,
  IconFiles,
  IconFlask,
  IconGauge,
  IconGavel,
  IconHome,
  IconInbox,
  IconKey,
  IconList,
  IconLock,
  IconPlugConnected,
  IconPlus,
  IconQrcode,
  IconReceipt,
  IconScale,
  IconShieldCheck,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react';

/**
 * Pages by the names of their texts in `panel.shell`. `keys` is the shortcut, one key or two:
 * letters of the Portuguese names.
 */
export const MAIN = [
  { name: 'home', path: '/inicio', icon: IconHome, keys: 'g i' },
  { name: 'transactions', path: '/transacoes', icon: IconList, keys: 'g t' },
  { name: 'statement', path: '/extrato', icon: IconReceipt, keys: 'g e' },
  { name: 'customers', path: '/clientes', icon: IconUsers, keys: 'g c' },
] as const;

export const ACTIONS = [
  { name: 'newCharge', path: '/cobrar', icon: IconPlus, keys: 'c' },
  { name: 'withdraw', path: '/sacar', icon: IconArrowUp, keys: 's' },
] as const;

export const DEVELOPERS = [
  { name: 'keys', path: '/chaves', icon: IconKey, keys: 'g k' },
  { name: 'webhooks', path: '/webhooks', icon: IconWebhook, keys: 'g w' },
  { name: 'requests', path: '/requisicoes', icon: IconAppWindow },
  { name: 'providers', path: '/provedores', icon: IconPlugConnected },
  { name: 'sandbox', path: '/sandbox', icon: IconFlask },
  { name: 'brCode', path: '/br-code', icon: IconQrcode },
] as const;

export const ACCOUNT = [
  { name: 'verification', path: '/verificacao', icon: IconShieldCheck },
  { name: 'reconciliation', path: '/conciliacao', icon: IconScale },
  { name: 'proof', path: '/prova', icon: IconCertificate },
  { name: 'limits', path: '/limites', icon: IconGauge, keys: 'g l' },
  { name: 'payees', path: '/favorecidos', icon: IconAddressBook },
  { name: 'security', path: '/seguranca', icon: IconLock },
  { name: 'preferences', path: '/preferencias', icon: IconAdjustmentsHorizontal },
] as const;

/** Not in the menu: the withdrawal page and the palette lead there. */
const BATCHES = { name: 'batches', path: '/lotes', icon: IconFiles } as const;

/**
 * What a link of the menu is to the address that is shown (`aria-current`): its page, or the page
 * that leads to one without a place in the menu; undefined: neither.
 */
export function currentAt(pathname: string, path: string): 'page' | 'true' | undefined {
  const [, , page = ''] = pathname.split('/');
  if (`/${page}` === path) return 'page';
  return path === '/sacar' && `/${page}` === BATCHES.path ? 'true' : undefined;
}

/** In the menu where there is, or was, any such money; the palette always finds it. */
export const UNMATCHED = { name: 'unmatched', path: '/sem-cobranca', icon: IconInbox } as const;

/** In the menu once a payment was contested; the palette always finds it. */
export const DISPUTES = { name: 'disputes', path: '/disputas', icon: IconGavel } as const;

/** In the menu until its steps are done; the palette always finds it. */
export const START = { name: 'start', path: '/comecar', icon: IconCheck } as const;

export const ALL_PAGES = [...MAIN, UNMATCHED, DISPUTES, ...ACTIONS, BATCHES, ...DEVELOPERS, ...ACCOUNT, START] as const;

export type Destination = (typeof ALL_PAGES)[number];

export const SHORTCUTS = [...ACTIONS, ...MAIN, ...DEVELOPERS, ...ACCOUNT].filter((page) => 'keys' in page);

/**
 * The address of the same page in the other mode; for a single entry that of its list, because live
 * and test share none.
 */
export function pathInMode(pathname: string, mode: 'live' | 'test'): string {
  const [, , page = 'inicio'] = pathname.split('/');
  return `/${mode}/${page}`;
}
