import type { Samples } from './statements.ts';

/** The values that functions have when they make their SQL. */
export const STATEMENT_SAMPLES: Samples = {
  'ask-noted.ts': [
    {
      text: `'SELECT withdrawal_approve($1, $2, $3, $4, $5, $6, $7, $8) AS outcome'`,
      values: 'Array(8).fill(null)',
      count: '8',
    },
    { text: `'SELECT charge_close($1, $2, $3, $4, $5, $6) AS outcome'`, values: 'Array(6).fill(null)', count: '6' },
  ],
  'ask-decision.ts': [
    { text: `'SELECT review_write_off($1, $2, $3, $4, $5) AS outcome'` },
    { text: `'SELECT unmatched_return($1, $2, $3, $4, $5, $6) AS outcome'` },
    { text: `'SELECT foreign_payout_write_off($1, $2, $3, $4) AS outcome'` },
  ],
  'customers.ts': [
    {
      column: `'customer_name'`,
      found: `'SELECT t.id FROM transactions t WHERE t.account_id = $1 LIMIT $2'`,
      values: `['', '', '']`,
    },
  ],
  'delivery-log.ts': [
    {
      conditions: `['e.account_id = $1']`,
      bind: `() => '$2'`,
      values: `['', '']`,
      filter: `{ topic: 'deposit', limit: 1 }`,
    },
  ],
  'erase-personal-data.ts': [{ text: `'UPDATE refunds SET description = NULL WHERE transaction_id = ANY ($1)'` }],
  'event-log.ts': [
    {
      looked: `['account_id = $1']`,
      found: `['EXISTS (SELECT FROM deliveries d WHERE d.event_id = e.id)']`,
      bind: `() => '$2'`,
      filter: '{ scan: 1, limit: 1 }',
    },
  ],
  'insert-notices.ts': [{ sql: 'insertion([], new Date())' }],
  'insert-missing.ts': [{ events: `'SELECT * FROM events WHERE id = $2 AND account_id = $1'`, endpoint: `'$3'` }],
  'ledger.ts': [
    { posting: `'charge_paid'`, text: `'SELECT charge_pay($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) AS status'` },
    { posting: `'suspense'` },
    { posting: `'refund_completed'` },
  ],
  'list-callbacks.ts': [{ window: `'SELECT * FROM inbound_callbacks WHERE id < $1 ORDER BY id DESC LIMIT $2'` }],
  'list-all-transactions.ts': [{ bounds: `['t.id < $1']`, all: `['true']`, bind: `() => '$2'`, scan: '1', limit: '1' }],
  'listener.ts': [{ channel: `'x'` }],
  'personal-data.ts': [{ before: `'$4'`, limit: `'$5'`, id: `'$6'` }],
  'request-records.ts': [
    {
      window: `'SELECT * FROM request_records WHERE account_id = $1 AND key_id = $2 AND id < $3 AND at >= $4 LIMIT $5'`,
    },
  ],
  'search-audit.ts': [
    `a.merchant_id = $1 AND a.action ~ '^(withdrawal|refund|charge|review|dispute|unmatched|foreign_payout)[.]'`,
    `a.merchant_id = $1 AND a.action !~ '^(withdrawal|refund|charge|review|dispute|unmatched|foreign_payout)[.]'`,
    'a.merchant_id = $1',
    'a.id < $1',
  ].map((condition) => ({
    conditions: `[${JSON.stringify(condition)}]`,
    window: JSON.stringify(`SELECT a.* FROM audit_records a WHERE ${condition} ORDER BY a.id DESC LIMIT 20000`),
    filter: `'true'`,
    bind: `() => '$2'`,
    limit: '1',
  })),
  'statement.ts': [{ order: `'ASC'` }],
  'search-transactions.ts': [
    {
      ranked: `['(SELECT t.id, 0 AS rank FROM transactions t WHERE t.account_id = $1 LIMIT $2)']`,
      one: `'true'`,
      own: '[]',
      rank: '0',
      terms: `{ idEnd: '3789c2' }`,
      whose: `'t.account_id = $1'`,
      bind: `() => '$2'`,
    },
  ],
  'transaction-text.ts': [
    {
      all: `['t.account_id = $1']`,
      account: `['t.account_id = $1']`,
      condition: `'true'`,
      isFound: `'true'`,
      isWorthwhile: `'true'`,
      isEnough: `'false'`,
      isAll: `'false'`,
      narrowed: `{ newestIds: () => 'SELECT id FROM transactions WHERE account_id = $1' }`,
      newest: `'SELECT * FROM transactions WHERE account_id = $1'`,
      readThen: '1',
      others: `'SELECT * FROM transactions WHERE account_id = $1'`,
      keys: `'search_keys(t.search_tokens, t.id, t.type) @> search_keys_of_span($3::bigint[], span.number, true)'`,
      spanOf: `() => '1'`,
      texts: `['SELECT id FROM transactions WHERE account_id = $1']`,
      of: `{ all: ['t.account_id = $1'], limit: '$2' }`,
    },
  ],
  'transactions.ts': [
    { sql: `'SELECT t.id FROM transactions t WHERE t.account_id = $1'`, values: `['']`, accountId: `''`, filter: '{}' },
  ],
  'transaction-filter.ts': [
    {
      bounds: '[]',
      conditions: '[]',
      condition: '[]',
      amount: '[]',
      own: '[]',
      end: `'LIMIT 1'`,
      from: `'accounts AS kind'`,
      select: `() => 'SELECT t.id FROM transactions t WHERE t.account_id = $1'`,
      queries: `['SELECT t.id FROM transactions t WHERE t.account_id = $1']`,
    },
  ],
  'payouts.ts': [{ text: `'SELECT payout_review($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) AS status'` }],
};
