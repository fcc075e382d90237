import type { z } from 'zod';
import type { operatorAuditOutput } from '#contract/operator/audit.ts';
import { auditChanges } from '#domain/audit/audit-changes.ts';
import type { AuditListing } from '#services/operators/list-audit.ts';
import { actorOf } from '../members/to-activity-entry.ts';

/** An action of the audit as an operator sees it: with everything that was noted of it. */
export function toAuditEntry(entry: AuditListing): z.output<typeof operatorAuditOutput>['entries'][number] {
  const { id, action, merchantName, details, ipAddress, at } = entry;
  const { subject, operator } = details;
  const by = actorOf(entry);
  const name = {
    member: entry.memberName,
    key: entry.keyName,
    operator: typeof operator === 'string' ? operator : null,
    unknown: null,
  }[by];
  return {
    id,
    action,
    merchant_name: merchantName,
    by,
    name,
    ip_address: ipAddress,
    subject: typeof subject === 'string' ? subject : null,
    changes: auditChanges(details),
    at,
  };
}
