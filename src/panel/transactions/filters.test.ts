import { describe, expect, it } from 'vitest';
import { type Filters, filtersInput, isFiltered, NO_FILTERS, readFilters, writeFilters } from './filters.ts';

const NOW = new Date('2026-11-20T02:30:00.000Z');

const ALL: Filters = {
  text: 'maria & cia',
  types: ['pix_in', 'pix_out'],
  statuses: ['paid', 'underpaid'],
  by: 'created',
  period: null,
  from: '2026-11-01',
  to: '2026-11-19',
  min: 10.5,
  max: 1000,
};

const read = (query: string) => readFilters(new URLSearchParams(query));

describe('the filters of the list', () => {
  it('come back from the address as they went into it', () => {
    expect(read(writeFilters(ALL))).toEqual(ALL);
    expect(read(writeFilters({ ...NO_FILTERS, period: '30d' }))).toEqual({ ...NO_FILTERS, period: '30d' });
    expect(read(writeFilters({ ...ALL, by: 'paid' }))).toEqual({ ...ALL, by: 'paid' });
    expect(writeFilters(NO_FILTERS)).toBe('');
    expect(writeFilters(ALL)).toContain('tipo=pix_in,pix_out');
  });

  it('leave out what is in the address and is no filter', () => {
    expect(read('?tipo=pix,pix_in&status=&periodo=1y&de=2026-13-01&ate=ontem&min=-1&max=1e9&x=1')).toEqual({
      ...NO_FILTERS,
      types: ['pix_in'],
    });
  });

  it('are days of São Paulo, the last one included', () => {
    expect(filtersInput(ALL, NOW)).toEqual({
      text: 'maria & cia',
      type: 'pix_in,pix_out',
      display_status: 'paid,underpaid',
      from: '2026-11-01T03:00:00.000Z',
      to: '2026-11-20T03:00:00.000Z',
      min_amount: '10.5',
      max_amount: '1000',
    });
  });

  it('are about the date of payment, where that is chosen', () => {
    expect(filtersInput({ ...NO_FILTERS, by: 'paid', from: '2026-11-01', to: '2026-11-19' }, NOW)).toEqual({
      paid_from: '2026-11-01T03:00:00.000Z',
      paid_to: '2026-11-20T03:00:00.000Z',
    });
  });

  it('count a period in whole days up to today, which in São Paulo is still yesterday', () => {
    expect(filtersInput({ ...NO_FILTERS, period: 'hoje' }, NOW)).toEqual({ from: '2026-11-19T03:00:00.000Z' });
    expect(filtersInput({ ...NO_FILTERS, period: '7d' }, NOW)).toEqual({ from: '2026-11-13T03:00:00.000Z' });
  });

  it('count a period in days of the calendar, also over one of 23 hours', () => {
    // Half past midnight of 10 November; on the 4th the clocks went forward.
    const after = new Date('2018-11-10T02:30:00.000Z');
    expect(filtersInput({ ...NO_FILTERS, period: '7d' }, after)).toEqual({ from: '2018-11-04T03:00:00.000Z' });
  });

  it('say whether anything is left out', () => {
    expect(isFiltered(NO_FILTERS)).toBe(false);
    expect(isFiltered({ ...NO_FILTERS, text: 'x' })).toBe(true);
    // The choice of the date leaves nothing out by itself.
    expect(isFiltered({ ...NO_FILTERS, by: 'paid' })).toBe(false);
  });
});
