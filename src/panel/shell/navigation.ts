import type { IconName } from './icons.tsx';

/** A page of the panel, by the name that its text has in `panel.shell`. */
export type Destination = { name: PageName; path: string; icon: IconName };

type PageName =
  | 'home'
  | 'transactions'
  | 'newCharge'
  | 'withdraw'
  | 'statement'
  | 'keys'
  | 'webhooks'
  | 'requests'
  | 'sandbox'
  | 'brCode'
  | 'verification'
  | 'limits'
  | 'security'
  | 'preferences'
  | 'start';

export const MAIN: readonly Destination[] = [
  { name: 'home', path: '/inicio', icon: 'home' },
  { name: 'transactions', path: '/transacoes', icon: 'list' },
  { name: 'statement', path: '/extrato', icon: 'statement' },
];

export const ACTIONS: readonly Destination[] = [
  { name: 'newCharge', path: '/cobrar', icon: 'plus' },
  { name: 'withdraw', path: '/sacar', icon: 'send' },
];

export const DEVELOPERS: readonly Destination[] = [
  { name: 'keys', path: '/chaves', icon: 'key' },
  { name: 'webhooks', path: '/webhooks', icon: 'webhook' },
  { name: 'requests', path: '/requisicoes', icon: 'request' },
  { name: 'sandbox', path: '/sandbox', icon: 'sandbox' },
  { name: 'brCode', path: '/br-code', icon: 'qr' },
];

export const ACCOUNT: readonly Destination[] = [
  { name: 'verification', path: '/verificacao', icon: 'shield' },
  { name: 'limits', path: '/limites', icon: 'gauge' },
  { name: 'security', path: '/seguranca', icon: 'lock' },
  { name: 'preferences', path: '/preferencias', icon: 'sliders' },
];

/** In the menu until its steps are done; the palette always finds it. */
export const START: Destination = { name: 'start', path: '/comecar', icon: 'check' };

export const ALL_PAGES: readonly Destination[] = [...MAIN, ...ACTIONS, ...DEVELOPERS, ...ACCOUNT, START];

/** Keys that lead somewhere, alone or after `g`. Letters of the Portuguese names. */
export const SHORTCUTS: readonly { keys: string; path: string; name: PageName }[] = [
  { keys: 'c', path: '/cobrar', name: 'newCharge' },
  { keys: 's', path: '/sacar', name: 'withdraw' },
  { keys: 'g i', path: '/inicio', name: 'home' },
  { keys: 'g t', path: '/transacoes', name: 'transactions' },
  { keys: 'g e', path: '/extrato', name: 'statement' },
  { keys: 'g k', path: '/chaves', name: 'keys' },
  { keys: 'g w', path: '/webhooks', name: 'webhooks' },
  { keys: 'g l', path: '/limites', name: 'limits' },
];

/** The same page in the other mode; a page about one thing leads to the list, because live and test share none. */
export function pathInMode(pathname: string, mode: 'live' | 'test'): string {
  const [, , page = 'inicio'] = pathname.split('/');
  return `/${mode}/${page}`;
}
