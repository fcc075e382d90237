import { z } from 'zod';
import { DISPUTE_REASONS, DISPUTE_STATES } from '#domain/disputes/dispute-states.ts';
import { STATEMENT_BALANCES } from '#domain/reports/statement-entry.ts';
import { LISTED_TYPES, TRANSACTION_STATUSES } from '#domain/transactions/transaction-states.ts';
import { DELIVERY_STATUSES, TOPICS } from '#domain/webhooks/events.ts';
import { named } from './named.ts';

/**
 * Sets of values that several operations share, under their names in the OpenAPI document. They
 * are closed: a new value is a change that clients have to know of.
 */

const DOCUMENT_TYPES = ['cpf', 'cnpj'] as const;
/** As DICT spells them. */
export const PIX_KEY_TYPES = ['CPF', 'CNPJ', 'EMAIL', 'PHONE', 'EVP'] as const;

export const transactionType = named('TransactionType', z.enum(LISTED_TYPES));
export const transactionStatus = named('TransactionStatus', z.enum(TRANSACTION_STATUSES));
export const documentType = named('DocumentType', z.enum(DOCUMENT_TYPES));
export const topic = named('Topic', z.enum(TOPICS));
export const deliveryStatus = named('DeliveryStatus', z.enum(DELIVERY_STATUSES));
export const disputeState = named('DisputeState', z.enum(DISPUTE_STATES));
export const disputeReason = named('DisputeReason', z.enum(DISPUTE_REASONS));
export const statementBalance = named('StatementBalance', z.enum(STATEMENT_BALANCES));

/**
 * A set whose values an answer takes from the database: not checked on the way out, because an
 * unknown value is an internal error, and no reason to hide the rest of the answer.
 */
export const uncheckedSet = (name: string, values: readonly string[]) =>
  named(name, z.string().meta({ enum: [...values] }));

export const statusText = uncheckedSet('TransactionStatus', TRANSACTION_STATUSES);
export const documentTypeText = uncheckedSet('DocumentType', DOCUMENT_TYPES);

/** Where an open set stands in a JSON Schema. */
export const OPEN_SET = 'x-extensible-enum';

/**
 * A text of a set that grows within a version, as the codes of errors and the types of events do.
 * The document lists the values and does not enumerate them: a generated client that is older than
 * a value reads it all the same. Not checked on the way out either.
 */
export const openSet = (values: readonly string[]) => z.string().meta({ [OPEN_SET]: [...values] });
