import type { NamespaceKeys, NestedKeyOf } from 'next-intl';
import type { Messages } from '#messages/messages.ts';

/** A section of the texts, by its path, with everything below it. */
export type TextSection = NamespaceKeys<Messages, NestedKeyOf<Messages>>;

/**
 * The sections that the frame around every page of the panel shows. Texts are read before the first
 * words are painted, so a page comes with its own and these only; sections.test.ts compares them
 * with the code.
 */
export const FRAME_SECTIONS = [
  'connection',
  'error',
  'errors',
  'formats',
  'auth.passwordField',
  'panel.notices',
  'panel.shell',
  'panel.sandbox.commands',
  'panel.sandbox.bar',
  'panel.sandbox.done',
  'panel.sandbox.half',
  'panel.sandbox.why',
  'panel.transactions.duration',
  'panel.transactions.hints',
  'panel.transactions.repeat',
  'panel.transactions.statuses',
  'panel.transactions.types',
] as const satisfies readonly TextSection[];

/** The further sections that each page shows, by its folder in `src/app/[mode]`. */
export const PAGE_SECTIONS = {
  '[...path]': [],
  'br-code': ['panel.brCode'],
  chaves: ['issues', 'panel.keys', 'panel.amountInput'],
  clientes: ['panel.customers'],
  cobrar: ['issues', 'panel.newCharge', 'panel.moneyForm', 'panel.amountInput', 'pay'],
  comecar: [
    'panel.start',
    'panel.webhooks.answers',
    'panel.webhooks.delivery',
    'panel.webhooks.receiver',
    'panel.webhooks.types',
  ],
  conciliacao: ['panel.reconciliation', 'panel.exports'],
  disputas: [
    'panel.disputes',
    'panel.uploads',
    'panel.transactions.money',
    'panel.transactions.parties',
    'panel.transactions.timeline',
  ],
  extrato: ['issues', 'panel.statement', 'panel.exports'],
  favorecidos: [
    'issues',
    'panel.payees',
    'panel.thresholds',
    'panel.amountInput',
    'panel.moneyForm',
    'panel.withdraw.issues',
    'panel.withdraw.keyTypes',
  ],
  inicio: ['panel.overview', 'panel.start', 'panel.disputes.strip'],
  lotes: ['issues', 'panel.batches', 'panel.moneyForm'],
  limites: ['panel.amountInput', 'panel.terms', 'panel.thresholds'],
  preferencias: ['panel.preferences'],
  prova: ['panel.proof'],
  provedores: ['issues', 'panel.providers'],
  requisicoes: ['panel.requests'],
  sacar: ['issues', 'panel.withdraw', 'panel.moneyForm', 'panel.amountInput'],
  sandbox: ['issues', 'panel.sandbox', 'panel.amountInput'],
  seguranca: [
    'issues',
    'panel.security',
    'panel.keys.permissions',
    'panel.providers.names',
    'panel.webhooks.topics',
    'panel.exports',
    'auth.errors',
  ],
  'sem-cobranca': ['panel.unmatched'],
  transacoes: [
    'issues',
    'panel.transactions',
    'panel.exports',
    'panel.amountInput',
    'panel.webhooks',
    'panel.customers.data',
    'panel.customers.erasure',
    'panel.disputes.notice',
    'panel.disputes.state',
  ],
  verificacao: ['issues', 'panel.kyc', 'panel.uploads', 'panel.amountInput'],
  webhooks: ['issues', 'panel.webhooks'],
} as const satisfies Record<string, readonly TextSection[]>;

export type PageName = keyof typeof PAGE_SECTIONS;
