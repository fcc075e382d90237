import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TASK_KINDS } from '#db/tasks/tasks.ts';
import { ERROR_CATALOGUE } from '#domain/errors/error-catalogue.ts';
import { INVOICE_SUB_STATUSES } from '#domain/invoices/invoice-settlement.ts';
import { TRANSACTION_STATUSES } from '#domain/transactions/transaction-states.ts';
import { messages } from '#messages/messages.ts';
import { isNotedRejection } from '#services/audit/rejection-audit.ts';
import mails from '#services/mail/texts/pt-BR.json' with { type: 'json' };
import { familyOf } from '#services/requests/family-of.ts';
import document from '../../../public/openapi.json' with { type: 'json' };

/** What REST requests are about, as the volume of requests has it. */
const FAMILIES = new Set(['other', ...Object.keys(document.paths).map(familyOf)]);

test('the console has words for whatever REST requests are about, and for all others', () => {
  for (const { operator } of Object.values(messages))
    expect(Object.keys(operator.names.families).sort(), 'operator.names.families of src/messages').toEqual(
      [...FAMILIES].sort(),
    );
});

test('the console has words for every kind of task, every e-mail and every status that a callback led to', () => {
  for (const { operator } of Object.values(messages)) {
    const { tasks, mails: templates, outcomes } = operator.names;
    expect(Object.keys(tasks), 'operator.names.tasks of src/messages, in this order').toEqual([...TASK_KINDS]);
    expect(Object.keys(templates).sort(), 'operator.names.mails of src/messages').toEqual(
      Object.keys(mails.messages).sort(),
    );
    const statuses = [...TRANSACTION_STATUSES, ...INVOICE_SUB_STATUSES];
    const missing = statuses.filter((status) => !(status in outcomes));
    expect(missing, 'Add these to operator.names.outcomes of src/messages').toEqual([]);
  }
});

/** The paths of the sign-in that the audit names, as the sources write them. */
const SIGN_IN_PATHS = ['note-failure', 'record-session-start'].flatMap((name) =>
  [
    ...readFileSync(join(import.meta.dirname, `../../services/sign-in/${name}.ts`), 'utf8').matchAll(/'(\/[a-z/-]+)'/g),
  ].map(([, path = '']) => path),
);

test('the audit has words for every reason of a rejection that it records, and for every way to sign in', () => {
  const noted = Object.keys(ERROR_CATALOGUE).filter(isNotedRejection);
  expect(noted).toContain('confirmation_failed');
  for (const { operator } of Object.values(messages)) {
    expect(noted.filter((code) => !(code in operator.audit.reasons))).toEqual([]);
    expect(Object.keys(operator.audit.paths).sort()).toEqual([...new Set(SIGN_IN_PATHS)].sort());
  }
});
