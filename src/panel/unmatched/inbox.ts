import type { Inbox } from '#contract/unmatched/unmatched.ts';

export type ReceivedMoney = Inbox['received'][number];
export type SentMoney = Inbox['sent'][number];
export type DecidedMoney = Inbox['decided'][number];
