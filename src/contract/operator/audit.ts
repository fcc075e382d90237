import { z } from 'zod';
import { CSV_FORMATS } from '#domain/reports/csv.ts';
import { auditChangeOutput, auditSearchFields } from '../audit-search.ts';
import { optional } from '../codecs.ts';
import { countText, instantOutput } from '../fields.ts';

/** How many entries a page has. */
const PAGE = 50;

const searched = {
  ...auditSearchFields,
  /** A merchant's id, or part of its name. */
  merchant: auditSearchFields.who,
};

export const operatorAuditInput = z.object({
  ...searched,
  /** The next_cursor of the page before. */
  cursor: optional(countText),
  limit: z.int().min(1).max(PAGE).default(PAGE),
});

/** The query of the file `/operator/api/audit.csv`. */
export const operatorAuditFileInput = z.object({ ...searched, format: z.enum(CSV_FORMATS).default('pt-BR') });

export const operatorAuditOutput = z.object({
  /** What was done in the installation, newest first. */
  entries: z.array(
    z.object({
      id: countText,
      action: z.string(),
      /** Null: it is about the installation. */
      merchant_name: z.string().nullable(),
      /** `unknown`: an attempt that failed, or what happened by itself. */
      by: z.enum(['member', 'key', 'operator', 'unknown']),
      /** The member's, the key's or the operator's; null where it is not known. */
      name: z.string().nullable(),
      ip_address: z.string().nullable(),
      /** What it was about. */
      subject: z.string().nullable(),
      changes: z.array(auditChangeOutput),
      at: instantOutput,
    }),
  ),
  next_cursor: countText.nullable(),
});

export type OperatorAuditEntry = z.input<typeof operatorAuditOutput>['entries'][number];
