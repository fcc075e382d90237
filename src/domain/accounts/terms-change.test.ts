import { expect, test } from 'vitest';
import { addDays, startOfDay } from '../reports/statement-period.ts';
import { TRANSACTION_TYPES } from '../transactions/transaction-states.ts';
import {
  auditedTerms,
  changesNothing,
  contradictoryRanges,
  daysToPlanFor,
  limitsAfter,
  mayPlanFor,
  typedTerms,
} from './terms-change.ts';

const NOTHING = { fees: {}, limits: {} };

test.each(['2026-11-20T03:00:00.000Z', '2026-11-20T12:00:00.000Z', '2026-11-21T02:59:59.999Z'])(
  'at %s every day that a change may be planned for is offered, and no other',
  (at) => {
    const now = new Date(at);
    const { from, to } = daysToPlanFor(now);
    expect([from, to]).toEqual(['2026-11-21', '2028-11-21']);
    const may = (day: string) => mayPlanFor(startOfDay(day), now);
    expect([addDays(from, -1), from, to, addDays(to, 1)].map(may)).toEqual([false, true, true, false]);
  },
);

test('an empty change changes nothing, and a change to zero or to no limit does', () => {
  expect(changesNothing(NOTHING)).toBe(true);
  expect(changesNothing({ ...NOTHING, spreadBps: 0 })).toBe(false);
  expect(changesNothing({ ...NOTHING, limits: { daily_limit_out_pix: null } })).toBe(false);
});

test('of several changes the later one wins, and one that takes a limit away leaves none', () => {
  const before = { daily_limit_out_pix: 1n, night_limit_out_pix: 2n };
  const changes = [
    { limits: { daily_limit_out_pix: 5n, night_limit_out_pix: null } },
    { limits: { daily_limit_out_pix: 7n } },
  ];
  expect(limitsAfter(before, changes, {})).toEqual({ daily_limit_out_pix: 7n });
  const toDefault = [{ limits: { night_limit_out_pix: 'default' } as const }];
  expect(limitsAfter(before, toDefault, {})).toEqual({ daily_limit_out_pix: 1n });
  expect(limitsAfter(before, toDefault, { night_limit_out_pix: 9n })).toEqual({
    daily_limit_out_pix: 1n,
    night_limit_out_pix: 9n,
  });
});

test('a least amount above the largest is found for every type, and one that is equal is not', () => {
  const range = (least: bigint, most: bigint) =>
    Object.fromEntries(
      TRANSACTION_TYPES.flatMap((type) => {
        const [rail, way] = type.split('_');
        return [
          [`minimal_value_${way}_${rail}`, least],
          [`maximal_value_${way}_${rail}`, most],
        ];
      }),
    );
  expect(contradictoryRanges(range(2n, 1n))).toEqual(TRANSACTION_TYPES);
  expect(contradictoryRanges(range(1n, 1n))).toEqual([]);
  expect(contradictoryRanges({ minimal_value_out_pix: 5n })).toEqual([]);
});

test('the audit names each term with the one before it', () => {
  const change = {
    fees: { pix_in: { bps: 99, fixedCentavos: 10n } },
    limits: { daily_limit_out_pix: null },
    spreadBps: 5,
  };
  const before = { fees: { pix_in: { bps: 0, fixedCentavos: 0n } }, limits: {}, spreadBps: 0, toleranceBps: 50 };
  expect(auditedTerms(change, before)).toEqual({
    spreadBps_before: '0',
    spreadBps: '5',
    'fee pix_in_before': '0 0',
    'fee pix_in': '99 10',
    'limit daily_limit_out_pix': 'null',
  });
});

test('an operator reads the terms of a change as they are typed: limits in reais, a fee as 99bps+10', () => {
  const change = {
    fees: { pix_in: { bps: 99, fixedCentavos: 10n } },
    limits: { daily_limit_out_pix: 5_000_00n, night_limit_out_pix: null },
    toleranceBps: 50,
  };
  const before = {
    fees: { pix_in: { bps: 0, fixedCentavos: 0n } },
    limits: { daily_limit_out_pix: 'default' as const },
  };
  expect(typedTerms(change, before)).toEqual({
    toleranceBps: '50',
    'fee pix_in_before': '0bps+0',
    'fee pix_in': '99bps+10',
    'limit daily_limit_out_pix_before': 'default',
    'limit daily_limit_out_pix': '5000.00',
    'limit night_limit_out_pix': 'none',
  });
});
