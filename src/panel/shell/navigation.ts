import {
  IconAdjustmentsHorizontal,
  IconAppWindow,
  IconArrowUp,
  IconCheck,
  IconFlask,
  IconGauge,
  IconHome,
  IconKey,
  IconList,
  IconLock,
  IconPlus,
  IconQrcode,
  IconReceipt,
  IconShieldCheck,
  IconWebhook,
} from '@tabler/icons-react';
import type { IconShape } from './icon.tsx';

/** A page of the panel, by the name that its text has in `panel.shell`. */
export type Destination = { name: PageName; path: string; icon: IconShape };

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
  { name: 'home', path: '/inicio', icon: IconHome },
  { name: 'transactions', path: '/transacoes', icon: IconList },
  { name: 'statement', path: '/extrato', icon: IconReceipt },
];

export const ACTIONS: readonly Destination[] = [
  { name: 'newCharge', path: '/cobrar', icon: IconPlus },
  { name: 'withdraw', path: '/sacar', icon: IconArrowUp },
];

export const DEVELOPERS: readonly Destination[] = [
  { name: 'keys', path: '/chaves', icon: IconKey },
  { name: 'webhooks', path: '/webhooks', icon: IconWebhook },
  { name: 'requests', path: '/requisicoes', icon: IconAppWindow },
  { name: 'sandbox', path: '/sandbox', icon: IconFlask },
  { name: 'brCode', path: '/br-code', icon: IconQrcode },
];

export const ACCOUNT: readonly Destination[] = [
  { name: 'verification', path: '/verificacao', icon: IconShieldCheck },
  { name: 'limits', path: '/limites', icon: IconGauge },
  { name: 'security', path: '/seguranca', icon: IconLock },
  { name: 'preferences', path: '/preferencias', icon: IconAdjustmentsHorizontal },
];

/** In the menu until its steps are done; the palette always finds it. */
export const START: Destination = { name: 'start', path: '/comecar', icon: IconCheck };

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

/**
 * The same page in the other mode; a page about one thing leads to the list, because live and test
 * share none.
 */
export function pathInMode(pathname: string, mode: 'live' | 'test'): string {
  const [, , page = 'inicio'] = pathname.split('/');
  return `/${mode}/${page}`;
}
