import type { FirstStepsOutput } from '#contract/accounts/first-steps-output.ts';

export type FirstStep = { name: 'charge' | 'pay' | 'webhook' | 'verify'; done: boolean };

/**
 * The way from an open account to the first payment: its steps, how many are done, and the next
 * one; null when all are.
 */
export function firstStepsLeft(steps: FirstStepsOutput): { list: FirstStep[]; done: number; next: FirstStep | null } {
  const list: FirstStep[] = [
    { name: 'charge', done: steps.charge_id !== null },
    { name: 'pay', done: steps.paid },
    { name: 'webhook', done: steps.webhook_delivered },
    { name: 'verify', done: steps.kyc_status === 'approved' },
  ];
  return { list, done: list.filter(({ done }) => done).length, next: list.find(({ done }) => !done) ?? null };
}
