import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { fieldIssuesOf } from '#contract/issues/issue-message.ts';
import type { Deps } from '#services/deps.ts';
import { isHungUp } from '../http/is-hung-up.ts';
import { sendJson } from '../http/json.ts';
import type { ExportFile } from './export-file.ts';

/** A million rows take about two minutes; a reader that needs longer than this has stalled. */
const EXPORT_MS_MAX = 10 * 60_000;
/** For one reader, in this process: two clicks are served, a loop is not. */
export const EXPORTS_AT_ONCE = 3;
const RETRY_AFTER_SECONDS = 10;

/** `reader`: the account or the operator that the file is for. */
type Sending = { reader: string; path: string; open: () => Promise<ExportFile> };

/**
 * Sends files that are written piece by piece. No limit on rows: with one piece in memory and no
 * connection to the database held in between, a long one costs time only. What is limited is how
 * long one may take and how many run at once. A query that is invalid is answered 400 with the
 * fields, too many at once 429, both as JSON `{error}`.
 */
export function createExportSender({ log }: Pick<Deps, 'log'>) {
  const running = new Map<string, number>();
  return async (res: ServerResponse, sending: Sending): Promise<void> => {
    const { reader } = sending;
    const others = running.get(reader) ?? 0;
    if (others >= EXPORTS_AT_ONCE) {
      res.setHeader('retry-after', RETRY_AFTER_SECONDS);
      return sendJson(res, 429, { error: 'rate_limited' });
    }
    running.set(reader, others + 1);
    try {
      await send(log, res, sending);
    } finally {
      const left = (running.get(reader) ?? 1) - 1;
      if (left > 0) running.set(reader, left);
      else running.delete(reader);
    }
  };
}

async function send(log: Deps['log'], res: ServerResponse, { reader, path, open }: Sending): Promise<void> {
  const file = await open().catch((error: unknown) => {
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
    if (isHungUp(error)) return;
    log.warn({ err: error, reader, file: path }, 'A download broke off.');
  }
}
