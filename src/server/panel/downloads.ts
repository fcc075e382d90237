import type { IncomingMessage, ServerResponse } from 'node:http';
import { DomainError } from '#domain/errors/domain-error.ts';
import { inTimeOf } from '#services/accounts/on-test-clock.ts';
import type { Deps } from '#services/deps.ts';
import { createExportSender } from './create-export-sender.ts';
import type { ExportRequest, OpenExport } from './export-file.ts';
import { openActivityCsv } from './open-activity-csv.ts';
import { openProofFile } from './open-proof-file.ts';
import { openTransactionsCsv } from './open-transactions-csv.ts';
import { openReconciliationCsv, openReconciliationItemsCsv } from './reconciliation-files.ts';
import { openStatementCsv, openStatementOfx } from './statement-file.ts';

/** The files, by the last part of their path. */
const EXPORTS: ReadonlyMap<string, OpenExport> = new Map([
  ['activity.csv', openActivityCsv],
  ['proof.json', openProofFile],
  ['reconciliation.csv', openReconciliationCsv],
  ['reconciliation-items.csv', openReconciliationItemsCsv],
  ['statement.csv', openStatementCsv],
  ['statement.ofx', openStatementOfx],
  ['transactions.csv', openTransactionsCsv],
]);

export type DownloadRequest = ExportRequest & { path: string; hasTestClock: boolean };

/**
 * Sends the files of the panel to signed-in members, in the account's time: `path` is e.g.
 * `statement.csv`. Errors (DomainError): route_not_found.
 */
export function createDownloads(
  deps: Deps,
): (req: IncomingMessage, res: ServerResponse, request: DownloadRequest) => Promise<void> {
  const send = createExportSender(deps);
  return async (_req, res, request) => {
    res.setHeader('cache-control', 'no-store');
    const open = EXPORTS.get(request.path);
    if (!open) throw new DomainError('route_not_found');
    const { accountId, path } = request;
    await send(res, { reader: accountId, path, open: async () => open(await inTimeOf(deps, request), request) });
  };
}
