import { expect, test } from 'vitest';
import { askedState } from './asked-withdrawal.ts';

test.each([
  ['waiting_for_confirmation', 'pending', 'pending_approval', null],
  ['processing', 'pending', null, null],
  ['processing', 'pending', null, 'sending'],
  ['processing', 'processing', null, 'sent'],
  ['unknown', 'pending', null, 'unknown'],
  ['unknown', 'review', null, 'sent'],
  ['paid', 'paid', null, 'sent'],
  ['paid', 'completed', null, 'sent'],
  ['failed', 'failed', null, 'unknown'],
  ['failed', 'cancelled', null, null],
] as const)('an assistant reads %s of a withdrawal that is %s, %s, %s', (state, status, subStatus, payoutStep) => {
  expect(askedState({ status, subStatus, payoutStep })).toBe(state);
});
