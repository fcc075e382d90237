import { describe, expect, it } from 'vitest';
import type { InvoiceSubStatus } from '#domain/invoices/invoice-settlement.ts';
import { DISPLAY_STATUSES, displayStatusOf } from '#domain/transactions/display-status.ts';
import { TRANSACTION_STATUSES, TRANSACTION_TYPES } from '#domain/transactions/transaction-states.ts';
import type { Language } from '#domain/values/language.ts';
import { PAYOUT_FAILURES } from '#domain/withdrawals/payout-failures.ts';
import { messages } from '#messages/messages.ts';
import { roughly, statusStyle } from './status-style.ts';

describe('how a transaction’s state looks', () => {
  it.each(Object.keys(messages))('has a word and a hint in %s for every type and status', (language) => {
    const { statuses, hints } = messages[language as Language].panel.transactions;
    for (const type of TRANSACTION_TYPES) {
      for (const status of TRANSACTION_STATUSES) {
        const { word, hint } = statusStyle({ type, status });
        expect([statuses[word], hints[hint]]).toEqual([expect.stringMatching(/./), expect.stringMatching(/./)]);
      }
    }
  });

  it('says of a charge that waits how long it still can be paid, and that the end is being checked', () => {
    const charge = { type: 'pix_in', status: 'pending' } as const;
    expect(statusStyle(charge, 60_000).hint).toBe('expires');
    expect(statusStyle(charge, -1).hint).toBe('expiring');
    expect(statusStyle(charge).hint).toBe('pending');
  });

  it('speaks of a withdrawal as of money that leaves', () => {
    expect(statusStyle({ type: 'pix_out', status: 'pending' }).hint).toBe('sending');
    expect(statusStyle({ type: 'crypto_out', status: 'failed' }).hint).toBe('failed_withdrawal');
    expect(statusStyle({ type: 'pix_out', status: 'paid' }).word).toBe('withdrawal_paid');
    expect(statusStyle({ type: 'crypto_out', status: 'completed' }).word).toBe('completed');
    const waits = { type: 'pix_out', status: 'pending', sub_status: 'pending_approval' } as const;
    expect(statusStyle(waits).hint).toBe('pending_approval');
    // Its money is not held before its date.
    const later = { ...waits, scheduled_for: '2026-12-05T11:00:00.000Z' };
    expect(statusStyle(later)).toMatchObject({ word: 'pending_approval', hint: 'approval_scheduled' });
  });

  it('says of a payment with an open case that it is contested, and never that its net is available', () => {
    const payment = { type: 'pix_in', status: 'paid' } as const;
    for (const dispute_state of ['open', 'answered', 'lost'] as const) {
      const shown = statusStyle({ ...payment, dispute_state, refunded_amount: dispute_state === 'lost' ? 1 : 0 });
      expect(shown).toMatchObject({ tone: 'warn', isContested: true, hint: 'contested' });
    }
    for (const dispute_state of ['won', 'cancelled', 'returned', null] as const)
      expect(statusStyle({ ...payment, dispute_state })).toMatchObject({ isContested: false, hint: 'paid' });
  });

  it('calls an invoice that is completed paid, unless something else arrived than was asked', () => {
    const invoice = { type: 'crypto_in', status: 'completed' } as const;
    expect(statusStyle(invoice).word).toBe('paid');
    expect(statusStyle({ ...invoice, sub_status: 'underpaid' })).toMatchObject({ word: 'underpaid', tone: 'warn' });
  });
});

describe('the words of the filter', () => {
  const SUB_STATUSES: Record<InvoiceSubStatus, true> = {
    partial: true,
    detected: true,
    underpaid: true,
    overpaid: true,
    late: true,
    paid_again: true,
  };

  it.each(Object.keys(messages))('are in %s those of the badges that it finds', (language) => {
    const { statuses, filters } = messages[language as Language].panel.transactions;
    for (const type of TRANSACTION_TYPES) {
      for (const status of TRANSACTION_STATUSES) {
        for (const subStatus of [null, ...Object.keys(SUB_STATUSES)]) {
          for (const refundedAmount of [0, 1]) {
            const found = displayStatusOf({ type, status, subStatus, isPartlyRefunded: refundedAmount > 0 });
            const { word } = statusStyle({ type, status, sub_status: subStatus, refunded_amount: refundedAmount });
            expect(filters.statuses[found].toLowerCase().split(' / ')).toContain(statuses[word]);
          }
        }
      }
    }
    expect(Object.keys(filters.statuses).sort()).toEqual([...DISPLAY_STATUSES].sort());
  });
});

describe('a time that is left', () => {
  it.each([
    [1, 'minutes', 1],
    [61_000, 'minutes', 2],
    [90 * 60_000, 'minutes', 90],
    [91 * 60_000, 'hours', 2],
    [24 * 3_600_000, 'hours', 24],
    [72 * 3_600_000, 'days', 3],
  ] as const)('%i ms is %s: %i', (ms, unit, count) => {
    expect(roughly(ms)).toEqual({ unit, count });
  });
});

describe('why a payout failed', () => {
  it.each(Object.keys(messages))('is said in %s for every code', (language) => {
    const { failures } = messages[language as Language].panel.transactions;
    expect(Object.keys(failures).sort()).toEqual([...PAYOUT_FAILURES, 'other'].sort());
  });
});
