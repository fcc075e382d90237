import type { IncomingMessage, ServerResponse } from 'node:http';
import { operatorSignInInput } from '#contract/operator/session.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { ERROR_CATALOGUE, isPanelError } from '#domain/errors/error-catalogue.ts';
import { chooseLanguage } from '#domain/values/language.ts';
import type { RejectionAudit } from '#services/audit/rejection-audit.ts';
import type { Deps } from '#services/deps.ts';
import { openCaseDocument } from '#services/kyc/decide-verification.ts';
import { createOperatorSignIn } from '#services/operators/create-operator-sign-in.ts';
import { endSessionOfOperator, findOperatorOf, type SignedInOperator } from '#services/operators/operator-session.ts';
import { isTls } from '#services/sign-in/cookie-name.ts';
import { DEVICE_COOKIE_SECONDS } from '#services/sign-in/device-cookies.ts';
import type { GuessLimits } from '#services/sign-in/guess-limits.ts';
import { checkPageCall } from '../auth/check-page-call.ts';
import { cookieOf } from '../auth/cookie-of.ts';
import { answerProcedure } from '../http/answer-procedure.ts';
import { sendJson } from '../http/json.ts';
import { originOf } from '../http/origin-of.ts';
import type { RequestContext } from '../http/request-context.ts';
import { createExportSender } from '../panel/create-export-sender.ts';
import { sendFile } from '../panel/send-uploaded-file.ts';
import { operatorRouter } from '../procedures/operator/operator-router.ts';
import { isOwnFailure } from '../procedures/trpc-errors.ts';
import { BODY_BYTES_MAX, readJsonObject } from '../rest/body.ts';
import { openAuditCsv } from './open-audit-csv.ts';
import { OPERATOR_API_PREFIX, OPERATOR_PREFIX } from './operator-prefix.ts';

const TRPC_PREFIX = `${OPERATOR_API_PREFIX}trpc/`;
/** A document of a verification: `?verification=…&document=…`. */
const DOCUMENT_PATH = `${OPERATOR_API_PREFIX}document`;
/** The audit as a file, searched as the page does. */
const AUDIT_PATH = `${OPERATOR_API_PREFIX}audit.csv`;

export type OperatorHandler = {
  /** The operator of this request's session; null: none. A member's session is none. */
  operatorOf(req: IncomingMessage): Promise<SignedInOperator | null>;
  /** Answers what is below OPERATOR_API_PREFIX. */
  handle(req: IncomingMessage, res: ServerResponse, requestContext: RequestContext): Promise<void>;
};

/** Creates the handler of the console's sign-in, procedures and files. */
export function createOperatorHandler(parts: {
  deps: Deps;
  limits: GuessLimits;
  rejections: RejectionAudit;
  clientAddress: (req: IncomingMessage) => string;
}): OperatorHandler {
  const { deps, limits, rejections, clientAddress } = parts;
  const overTls = isTls(deps.settings.publicUrl);
  // `__Host-` would require the path `/`.
  const cookie = `${overTls ? '__Secure-' : ''}trilho.operator`;
  const attributes = `Path=${OPERATOR_PREFIX}; HttpOnly; SameSite=Strict${overTls ? '; Secure' : ''}`;
  /** Shows that an operator has signed in with this browser: others' guesses don't lock it out. */
  const deviceCookie = `${overTls ? '__Secure-' : ''}trilho.operator_device`;
  const signIn = createOperatorSignIn(deps, limits, rejections);

  const operatorOf: OperatorHandler['operatorOf'] = async (req) => {
    const token = cookieOf(req, cookie);
    return token === null ? null : findOperatorOf(deps, token);
  };

  const begin = async (req: IncomingMessage, res: ServerResponse) => {
    const input = operatorSignInInput.safeParse(await readJsonObject(req));
    if (!input.success) throw new DomainError('operator_sign_in_failed');
    const typed = { ...input.data, origin: originOf(req, clientAddress(req)) };
    try {
      const begun = await signIn.begin({ ...typed, deviceCookie: cookieOf(req, deviceCookie) });
      const device = `${deviceCookie}=${begun.deviceCookie}; Max-Age=${DEVICE_COOKIE_SECONDS}; ${attributes}`;
      res.setHeader('set-cookie', [`${cookie}=${begun.token}; ${attributes}`, device]);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      sendRejection(res, error);
      return signIn.noteFailure(typed, error.code);
    }
    sendJson(res, 200, { signed_in: true });
  };

  const call = async (req: IncomingMessage, res: ServerResponse, requestContext: RequestContext) => {
    const operator = await operatorOf(req);
    const origin = originOf(req, clientAddress(req));
    await answerProcedure(req, res, {
      router: operatorRouter,
      path: requestContext.path.slice(TRPC_PREFIX.length),
      bodyBytesMax: BODY_BYTES_MAX,
      context: {
        deps,
        operator,
        origin,
        confirm: (one: SignedInOperator, code: string) => signIn.confirm(one, code, origin),
        endSession: (one: SignedInOperator) => endSessionOfOperator(deps, one),
      },
      onError: ({ error, path }) => {
        if (!isOwnFailure(error.code)) return;
        const { requestId } = requestContext;
        deps.log.error({ err: error.cause ?? error, requestId, path }, 'A procedure of the console failed.');
      },
    });
  };

  const sendDocument = async (req: IncomingMessage, res: ServerResponse, { query }: RequestContext) => {
    const operator = await operatorOf(req);
    if (!operator) throw new DomainError('not_signed_in');
    const asked = new URLSearchParams(query);
    const acting = { ...deps, operator: operator.email, origin: originOf(req, clientAddress(req)) };
    const ids = { verificationId: asked.get('verification') ?? '', documentId: asked.get('document') ?? '' };
    sendFile(res, await openCaseDocument(acting, ids));
  };

  const sendExport = createExportSender(deps);
  const sendAudit = async (req: IncomingMessage, res: ServerResponse, requestContext: RequestContext) => {
    const operator = await operatorOf(req);
    if (!operator) throw new DomainError('not_signed_in');
    const query = new URLSearchParams(requestContext.query);
    const language = chooseLanguage(req.headers['accept-language'] ?? null);
    const { email: reader } = operator;
    await sendExport(res, { reader, path: 'audit.csv', open: () => openAuditCsv(deps, { query, language }) });
  };

  return {
    operatorOf,
    async handle(req, res, requestContext) {
      const { path } = requestContext;
      res.setHeader('cache-control', 'no-store');
      checkPageCall(req, res);
      if (path.startsWith(TRPC_PREFIX) && !path.includes('%')) return call(req, res, requestContext);
      const isSignIn = path === `${OPERATOR_API_PREFIX}sign-in` && req.method === 'POST';
      const file = { [DOCUMENT_PATH]: sendDocument, [AUDIT_PATH]: sendAudit }[path];
      if (!isSignIn && !file) throw new DomainError('route_not_found');
      try {
        await (file ? file(req, res, requestContext) : begin(req, res));
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        sendRejection(res, error);
      }
    },
  };
}

/** Answers an error of the panel. Throws any other. */
function sendRejection(res: ServerResponse, error: DomainError): void {
  if (!isPanelError(error.code)) throw error;
  const data = { reason: error.code, params: error.params ?? {} };
  sendJson(res, ERROR_CATALOGUE[error.code].status, { error: { data } });
}
