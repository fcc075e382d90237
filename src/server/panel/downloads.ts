import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { fieldIssuesOf } from '#contract/issues/issue-message.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import type { Deps } from '#services/deps.ts';
import { sendJson } from '../http/json.ts';
import type { ExportRequest, OpenExport } from './export-file.ts';
import { openProofFile } from './open-proof-file.ts';
import { openTransactionsCsv } from './open-transactions-csv.ts';
import { openReconciliationCsv, openReconciliationItemsCsv } from './reconciliation-files.ts';
import { openStatementCsv, openStatementOfx } from './statement-file.ts';

/**
 * No limit on rows: a file is written piece by piece as fast as its reader takes it, with one piece
 * in memory and no connection to the database held in between, so a long one costs time only. What
 * is limited is how long one may take and how many run at once.
 */
const EXPORTS: ReadonlyMap<string, OpenExport> = new Map([
  ['proof.json', openProofFile],
  ['reconciliation.csv', openReconciliationCsv],
  ['reconciliation-items.csv', openReconciliationItemsCsv],
  ['statement.csv', openStatementCsv],
  ['statement.ofx', openStatementOfx],
  ['transactions.csv', openTransactionsCsv],
]);

/**
 * A million rows take about two minutes; a reader that needs longer than this has gone to sleep.
 */
const EXPORT_MS_MAX = 10 * 60_000;
/** For one account, in this process: two clicks are served, a loop is not. */
export const EXPORTS_AT_ONCE = 3;
const RETRY_AFTER_SECONDS = 10;

export type DownloadRequest = ExportRequest & { path: string };

/**
 * The files of the panel, for signed-in members: `path` is e.g. `statement.csv`. A query that is
 * invalid is answered 400 with the fields, too many at once 429, both as JSON `{error}`. Errors
 * (DomainError): route_not_found.
 */
export function createDownloads(
  deps: Deps,
): (req: IncomingMessage, res: ServerResponse, request: DownloadRequest) => Promise<void> {
  const running = new Map<string, number>();
  return async (_req, res, request) => {
    res.setHeader('cache-control', 'no-store');
    const open = EXPORTS.get(request.path);
    if (!open) throw new DomainError('route_not_found');
    const { accountId } = request;
    const others = running.get(accountId) ?? 0;
    if (others >= EXPORTS_AT_ONCE) {
      res.setHeader('retry-after', RETRY_AFTER_SECONDS);
      return sendJson(res, 429, { error: 'rate_limited' });
    }
    running.set(accountId, others + 1);
    try {
      await send(deps, res, open, request);
    } finally {
      const left = (running.get(accountId) ?? 1) - 1;
      if (left > 0) running.set(accountId, left);
      else running.delete(accountId);
    }
  };
}

async function send(deps: Deps, res: ServerResponse, open: OpenExport, request: DownloadRequest): Promise<void> {
  const { accountId } = request;
  const file = await open(deps, request).catch((error: unknown) => {
    if (!(error instanceof z.ZodError)) throw error;
    sendJson(res, 400, { error: 'invalid_input', fields: fieldIssuesOf(error) });
    return null;
  });
  if (!file) return;
  res.statusCode = 200;
  res.setHeader('content-type', file.mediaType);
  res.setHeader('content-disposition', `attachment; filename="${file.name}"`);
  res.setHeader('x-content-type-options', 'nosniff');
  if (file.totalRows !== null) res.setHeader('x-total-rows', file.totalRows);
  try {
    // One piece ahead of the reader, no more.
    const pieces = Readable.from(file.pieces, { highWaterMark: 1 });
    await pipeline(pieces, res, { signal: AbortSignal.timeout(EXPORT_MS_MAX) });
  } catch (error) {
    // The answer has begun: cut off without its end, so that the reader sees that something is
    // missing.
    res.destroy();
    if ((error as { code?: string }).code === 'ERR_STREAM_PREMATURE_CLOSE') return;
    deps.log.warn({ err: error, accountId, file: request.path }, 'A download broke off.');
  }
}
