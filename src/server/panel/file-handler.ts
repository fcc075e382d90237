import type { IncomingMessage, ServerResponse } from 'node:http';
import { ACCOUNT_PARAMETER } from '#contract/account-header.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { ERROR_CATALOGUE, type PanelErrorCode } from '#domain/errors/error-catalogue.ts';
import { chooseLanguage } from '#domain/values/language.ts';
import { noteMemberRejection, type RejectionAudit } from '#services/audit/rejection-audit.ts';
import type { AuthHandler } from '../auth/auth-handler.ts';
import { isFromOurPage } from '../auth/is-from-our-page.ts';
import { sendJson } from '../http/json.ts';
import type { LaneDeps } from '../http/lane-deps.ts';
import type { RequestContext } from '../http/request-context.ts';
import { mayCall } from '../procedures/role-access.ts';
import { keepDisputeFile, openDisputeFile } from './dispute-files.ts';
import { createDownloads } from './downloads.ts';
import { keepKycDocument, openKycDocument } from './kyc-files.ts';
import type { Mode } from './panel-procedures.ts';
import { type ReadFile, sendUploadedFile } from './send-uploaded-file.ts';
import type { TrpcHandler } from './trpc-handler.ts';
import { createUploads, type KeepFile, type PanelRequest } from './uploads.ts';

const FILE_PATH = /^\/(upload|download|export)\/(live|test)\/([\w.-]+)$/;

export type FileHandler = {
  isFilePath(path: string): boolean;
  /** Errors (DomainError): route_not_found, method_not_allowed, permission_denied. */
  handle(req: IncomingMessage, res: ServerResponse, requestContext: RequestContext): Promise<void>;
};

/**
 * Uploads and downloads of the panel, which are no procedures: with the same session and the same
 * check of the origin.
 */
export function createFileHandler(
  deps: LaneDeps,
  handlers: { auth: AuthHandler; panel: TrpcHandler; rejections: RejectionAudit },
): FileHandler {
  const upload = createUploads();
  const kept = new Map<string, KeepFile>([
    ['kyc', keepKycDocument(deps.writes)],
    ['dispute', keepDisputeFile(deps.writes)],
  ]);
  const sent = new Map<string, ReadFile>([
    ['kyc', openKycDocument(deps.reads)],
    ['dispute', openDisputeFile(deps.reads)],
  ]);
  const exportFile = createDownloads(deps.reads);

  return {
    isFilePath: (path) => FILE_PATH.test(path),
    async handle(req, res, requestContext) {
      const [, act = '', mode = 'live', file = ''] = FILE_PATH.exec(requestContext.path) ?? [];
      requestContext.route = `/${act}`;
      // Files, and what is said of them, are for this member only.
      res.setHeader('cache-control', 'no-store');
      const methods = act === 'upload' ? ['POST', 'PUT'] : ['GET'];
      if (!methods.includes(req.method ?? '')) {
        res.setHeader('allow', methods.join(', '));
        throw new DomainError('method_not_allowed');
      }
      if (act === 'upload' && !isFromOurPage(req)) throw new DomainError('permission_denied');
      const { member, principal } = await handlers.panel.visitorOf(req, mode as Mode);
      if (!member || !principal) return reject(res, 'not_signed_in');
      const query = new URLSearchParams(requestContext.query);
      const asked = query.get(ACCOUNT_PARAMETER);
      if (asked !== null && asked !== principal.accountId) return reject(res, 'other_account');
      query.delete(ACCOUNT_PARAMETER);
      const operation = `${act}/${file}`;
      if (!mayCall(member.role, operation)) {
        // As of a procedure: owners learn what a member's role did not let them change.
        if (act === 'upload' && kept.has(file)) {
          const by = { member, accountId: principal.accountId, origin: handlers.auth.originOf(req) };
          await noteMemberRejection(handlers.rejections, by, { operation, why: 'permission_denied' });
        }
        throw new DomainError('route_not_found');
      }
      requestContext.accountId = principal.accountId;
      const request: PanelRequest = {
        query,
        member,
        principal,
        origin: handlers.auth.originOf(req),
      };
      const keep = act === 'upload' && kept.get(file);
      if (keep) return upload(req, res, request, keep);
      const read = act === 'download' && sent.get(file);
      if (read) return sendUploadedFile(res, request, read);
      if (act === 'export') {
        const language = chooseLanguage(member.language ?? req.headers['accept-language'] ?? null);
        return exportFile(req, res, { ...principal, path: file, query, language });
      }
      throw new DomainError('route_not_found');
    },
  };
}

function reject(res: ServerResponse, code: Extract<PanelErrorCode, 'not_signed_in' | 'other_account'>): void {
  sendJson(res, ERROR_CATALOGUE[code].status, { error: code });
}
