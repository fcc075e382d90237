import { randomBytes } from 'node:crypto';
import { conceal } from '#domain/encryption/conceal.ts';
import { type ApiPixClientOptions, createApiPixClient, overallDeadline, type Reply } from './api-pix-client.ts';
import { NO_CONTENT } from './list-payments.ts';
import { problemType, readProblem, saysNotFound } from './problem.ts';
import type { OwnRoute, PspProfile } from './profiles/psp-profile.ts';
import { dialectOf, findPspProfile } from './profiles/psp-profiles.ts';
import { queryTime } from './wire.ts';

/**
 * A PSP's answer to a query of one of its routes:
 * - `can`: it answered, or said that it has no such thing.
 * - `not_allowed`: the credentials get no token for the scope, or the token is not enough.
 * - `cannot`: it has no such route.
 * - `unclear`: an answer that says neither.
 * - `no_answer`: none came, or one that says "later".
 * - `not_asked`: there is no query without an effect, or no known route.
 */
export type PspAnswer = 'can' | 'not_allowed' | 'cannot' | 'unclear' | 'no_answer' | 'not_asked';

export type PspFinding = {
  name: RouteName;
  /** What was asked, e.g. `GET /cobv`; `null` where nothing was. */
  route: string | null;
  scope: string | null;
  answer: PspAnswer;
  /** The answer in one line, without secrets. */
  detail: string;
};

export type AskPspOptions = ApiPixClientOptions & {
  pixKey: string;
  /** The address for sending PIX as Efí has it; `null`: not set up. */
  payoutUrl: string | null;
  /** The address for disputes as Efí has them; from the profile where it is left out. */
  disputesUrl?: string;
  /** Derived from the host of `baseUrl` where it is not given. */
  profile?: PspProfile | null;
  /** Queries these routes only. */
  only?: readonly RouteName[];
};

/**
 * `item`: asks for one that can't exist, so that a 404 is the right answer. `list`: asks for those
 * of one minute; a list that exists never answers 404.
 */
type Question = { name: RouteName; scope: string; path: string; kind: 'item' | 'list'; base?: string };

const ROUTE_NAMES = [
  ...['cob', 'refunds', 'webhook', 'list', 'cobv', 'lotecobv', 'rec', 'cobr', 'solicrec', 'payouts', 'disputes'],
  'balance',
  'webhookMtls',
] as const;
export type RouteName = (typeof ROUTE_NAMES)[number];

/** Without these Trilho can't take PIX at a PSP. */
export const NEEDED_ROUTES = ['cob', 'refunds', 'webhook', 'list'] as const satisfies readonly RouteName[];

/** The window of a list: long enough to be one, short enough to hold nearly nothing. */
const WINDOW_MS = 60_000;

/**
 * Ids of the right form that do not exist: the day of the end-to-end id is long before PIX (API Pix
 * 2.9.0, EndToEndId; idSolicRec: SC, ISPB, day, 11 characters).
 */
const NO_TXID = '0'.repeat(32);
const NO_END_TO_END_ID = `E99999999197001010000${'0'.repeat(11)}`;
const NO_REQUEST_ID = `SC9999999919700101${'0'.repeat(11)}`;

const LABELS = [
  [NO_END_TO_END_ID, '{e2eid}'],
  [NO_REQUEST_ID, '{idSolicRec}'],
  [`/cob/${NO_TXID}`, '/cob/{txid}'],
  [NO_TXID, '{id}'],
] as const;

/**
 * Queries a PSP's reading routes, one after the other, each with a token for its own scope: GET
 * alone, besides the tokens. Never rejects.
 */
export async function askPsp(options: AskPspOptions): Promise<PspFinding[]> {
  const profile = options.profile === undefined ? findPspProfile(options.baseUrl) : options.profile;
  const unknown = await ask(options, {
    name: 'cob',
    scope: BASIC_SCOPE,
    path: `/${randomBytes(8).toString('hex')}`,
    kind: 'item',
  });
  const questions = questionsOf(options, profile);
  const findings: PspFinding[] = [];
  for (const name of options.only ?? ROUTE_NAMES) {
    const question = questions.find((each) => each.name === name);
    if (!question) {
      const detail = name === 'webhookMtls' ? 'only a callback shows it' : 'no route of this PSP is known';
      findings.push({ name, route: null, scope: null, answer: 'not_asked', detail });
      continue;
    }
    const path = LABELS.reduce(
      (text, [id, label]) => text.replace(id, label),
      (question.path.split('?', 1)[0] ?? '').replace(encodeURIComponent(options.pixKey), '{chave}'),
    );
    // Waiting for each in turn would take minutes.
    const isAway = unknown.reply.kind === 'silent' && findings[0]?.answer === 'no_answer' && !question.base;
    const answered = isAway ? AWAY : await askWithScope(options, question, unknown.reply);
    findings.push({ name, route: `GET ${path}`, scope: question.scope, ...answered });
  }
  return findings;
}

const AWAY = { answer: 'no_answer', detail: 'left out: the PSP gave no answer to two questions' } as const;

function questionsOf(options: AskPspOptions, profile: PspProfile | null): Question[] {
  const toMs = options.clock().getTime();
  const { listsInSeconds } = options.dialect ?? dialectOf(options.baseUrl);
  const at = (ms: number) => queryTime(new Date(ms), listsInSeconds);
  const window = new URLSearchParams({ inicio: at(toMs - WINDOW_MS), fim: at(toMs) });
  const list = (name: RouteName, path = `/${name}`): Question => ({
    ...{ name, path: `${path}?${window}`, kind: 'list' },
    scope: `${path.slice(1)}.read`,
  });
  const item = (name: RouteName, scope: string, path: string): Question => ({ name, scope, path, kind: 'item' });
  const own = (name: RouteName, base: string, { path, scope, id }: OwnRoute): Question =>
    id === undefined
      ? { name, scope, path: path.includes('?') ? path : `${path}?${window}`, kind: 'list', base }
      : { name, scope, path: path.replace('{id}', id), kind: 'item', base };
  const { origin } = new URL(options.baseUrl);
  const { disputes, payouts, balance } = profile?.routes ?? {};
  return [
    item('cob', BASIC_SCOPE, `/cob/${NO_TXID}`),
    item('refunds', 'pix.read', `/pix/${NO_END_TO_END_ID}/devolucao/${NO_TXID}`),
    item('webhook', 'webhook.read', `/webhook/${encodeURIComponent(options.pixKey)}`),
    list('list', '/pix'),
    ...(['cobv', 'lotecobv', 'rec', 'cobr'] as const).map((name) => list(name)),
    item('solicrec', 'solicrec.read', `/solicrec/${NO_REQUEST_ID}`),
    ...(options.payoutUrl
      ? [own('payouts', options.payoutUrl, EFI_PAYOUTS)]
      : payouts
        ? [own('payouts', origin, payouts)]
        : []),
    ...(options.disputesUrl
      ? [own('disputes', options.disputesUrl, EFI_DISPUTES)]
      : disputes
        ? [own('disputes', origin, disputes)]
        : []),
    ...(options.payoutUrl
      ? [own('balance', options.payoutUrl, EFI_BALANCE)]
      : balance
        ? [own('balance', origin, balance)]
        : []),
  ];
}

/** The protocol behind `PIX_PAYOUT_URL` (dev.efipay.com.br, "Envio e Pagamento Pix"). */
const EFI_PAYOUTS: OwnRoute = {
  path: '/v2/gn/pix/enviados/id-envio/{id}',
  scope: 'gn.pix.send.read',
  id: NO_TXID,
};

/** dev.efipay.com.br, "Endpoints exclusivos Efí", as efi-balance.ts asks it. */
const EFI_BALANCE: OwnRoute = { path: '/v2/gn/saldo?bloqueios=true', scope: 'gn.balance.read' };

/** dev.efipay.com.br, "Endpoints exclusivos Efí". */
const EFI_DISPUTES: OwnRoute = { path: '/v2/gn/infracoes', scope: 'gn.infractions.read' };

/**
 * A PSP that gives no token for a scope may lack the route, or keep it from these credentials. The
 * route itself, queried with another scope, shows which.
 */
async function askWithScope(options: AskPspOptions, question: Question, unknown: Reply) {
  const { reply, secrets } = await ask(options, question);
  const answered = read(question, reply, unknown, secrets);
  if (reply.kind !== 'denied' || question.scope === BASIC_SCOPE) return answered;
  const second = await ask(options, { ...question, scope: BASIC_SCOPE });
  const { answer } = read(question, second.reply, unknown, secrets);
  return answer === 'cannot' || answer === 'unclear' ? { ...answered, answer: 'cannot' as const } : answered;
}

/** Every client that receives PIX has this scope. */
const BASIC_SCOPE = 'cob.read';

async function ask(options: AskPspOptions, { scope, path, base }: Question) {
  const client = createApiPixClient({ ...options, baseUrl: base ?? options.baseUrl }, scope);
  try {
    const { reply } = await client.send({ method: 'GET', path }, overallDeadline());
    return { reply, secrets: [...client.secrets, options.pixKey] };
  } finally {
    await client.close();
  }
}

/** Some PSPs answer 400 where the credentials lack a scope: Sicredi, technical guide 1.9.5. */
const ABOUT_SCOPES = /escopo|scope/i;

/** `unknown`: the PSP's answer for a route that can't exist. */
function read(
  { kind, scope }: Question,
  reply: Reply,
  unknown: Reply,
  secrets: readonly string[],
): Pick<PspFinding, 'answer' | 'detail'> {
  if (reply.kind === 'silent') return { answer: 'no_answer', detail: reply.reason };
  if (reply.kind === 'denied') return { answer: 'not_allowed', detail: `${scope}: ${reply.reason}` };
  const { status, json } = reply;
  const problem = readProblem(json, (line) => conceal(line, secrets));
  const detail = `HTTP ${status}${problem === null ? ' without a problem body' : ` ${problem}`}`;
  if (status >= 200 && status < 300) {
    const isEmptyList = kind === 'list' && status === NO_CONTENT;
    return isEmptyList || (typeof json === 'object' && json !== null)
      ? { answer: 'can', detail: `HTTP ${status}` }
      : { answer: 'unclear', detail: `HTTP ${status} without JSON` };
  }
  if (status === 401 || status === 403) return { answer: 'not_allowed', detail };
  if (status === 405 || status === 501) return { answer: 'cannot', detail };
  if (status === 429 || status >= 500) return { answer: 'no_answer', detail };
  if (status === 400 && problem !== null && ABOUT_SCOPES.test(problem)) return { answer: 'not_allowed', detail };
  if (saysNotFound(status, json)) {
    if (kind === 'list') return { answer: 'cannot', detail };
    return { answer: isSameAs(unknown, json) ? 'unclear' : 'can', detail };
  }
  return { answer: status === 404 ? 'cannot' : 'unclear', detail };
}

/** Returns whether a route that can't exist is answered with the same type of problem. */
function isSameAs(unknown: Reply, json: unknown): boolean {
  if (unknown.kind !== 'answered') return false;
  const type = problemType(unknown.json);
  return type !== null && type === problemType(json);
}
