import fc from 'fast-check';
import { type OpenApiDocument, restDocument } from '#server/rest/openapi/document.ts';
import { ask, type RawAnswer } from '../attack/answers.ts';
import { RULES } from '../attack/authorisation/rules.ts';
import { consoleProcedures, consoleRequests } from './console-requests.ts';
import { createSender, describeRequest, type FuzzKind, type FuzzRequest } from './fuzz-request.ts';
import { type FuzzSupervision, type FuzzTarget, foreignLeak, type Memory } from './fuzz-target.ts';
import { type Judgement, judgePanel, judgeRest } from './judge-answer.ts';
import { panelProcedures, panelRequests } from './panel-requests.ts';
import { restOperationsOf, restRequests } from './rest-requests.ts';

type Surface = 'rest' | 'panel' | 'console';
/** The part of the requests that each gets. */
const SHARES: Readonly<Record<Surface, number>> = { rest: 0.5, panel: 0.4, console: 0.1 };

export type FuzzFailure = { operation: string; what: string; request: string; repeat: string };

export type FuzzResult = {
  requests: Record<Surface, number>;
  /** Requests that were sent to make failing ones smaller. */
  shrinking: number;
  kinds: Record<FuzzKind, number>;
  statuses: Map<number, number>;
  unavailable: number;
  /** Requests that were cut off, and had no answer. */
  unanswered: number;
  /**
   * Operations none of whose requests was accepted: what is behind their checks was not reached.
   */
  neverAccepted: string[];
  /** Memory after a fifth of the requests, and at the end. */
  memory: { early: Memory; late: Memory } | null;
  failures: FuzzFailure[];
};

export type FuzzOptions = {
  requests: number;
  seed: number;
  /** Operations by name; all where it is absent. */
  only?: readonly string[];
  onNote?: (line: string) => void;
};

/**
 * Each round sends some requests to everything: memory that is needed once is in use after the
 * first.
 */
const ROUNDS = 5;
/** How many requests may be sent to make a failing one smaller. */
const SHRINKS_MAX = 150;
/** How many failures of one operation are enough. */
const FAILURES_OF_ONE_MAX = 3;

/**
 * The factor by which the heap after a collection may grow between a fifth and all of the requests.
 * 1.02 of 175 MiB was measured: compiled code and caches still settle. 8,000 requests that leave
 * 2.2 KiB each behind exceed it.
 */
export const MEMORY_GROWTH_MAX = 1.1;

type Subject = {
  surface: Surface;
  name: string;
  requests: fc.Arbitrary<FuzzRequest>;
  /** Whether it changes what the others need, or needs what they use up. */
  needsRefresh: boolean;
  judge(request: FuzzRequest, answer: RawAnswer): Judgement;
};

/** The names of all operations and procedures. */
export const fuzzNames = (): string[] => [
  ...restOperationsOf(restDocument()).map(({ operationId }) => operationId),
  ...panelProcedures().map(({ name }) => name),
  ...consoleProcedures().map(({ name }) => consoleName(name)),
];

/** Its procedures have names that the panel's have, too. */
const consoleName = (name: string) => `operator.${name}`;

/** Every operation and procedure of a service. */
function fuzzSubjects(target: FuzzTarget, document: OpenApiDocument = restDocument()): Subject[] {
  const rest = restOperationsOf(document).map(
    (of): Subject => ({
      surface: 'rest',
      name: of.operationId,
      requests: restRequests(of, target),
      needsRefresh: false,
      judge: (request, answer) => judgeRest(document, of.operation, request, answer),
    }),
  );
  const panel = panelProcedures().map(
    (of): Subject => ({
      surface: 'panel',
      name: of.name,
      requests: panelRequests(of, target),
      needsRefresh: RULES[of.name]?.confirm !== undefined || of.name.startsWith('sandbox.'),
      judge: judgePanel,
    }),
  );
  const operator = consoleProcedures().map(
    (of): Subject => ({
      surface: 'console',
      name: consoleName(of.name),
      requests: consoleRequests(of, target),
      needsRefresh: of.type === 'mutation',
      judge: judgePanel,
    }),
  );
  return [...rest, ...panel, ...operator];
}

/**
 * Sends so many requests to a service, half of them over REST, and judges each answer. It always
 * ends: requests are counted, answers awaited for a bounded time, and failing requests made smaller
 * in bounded steps.
 */
export async function runFuzz(
  target: FuzzTarget,
  supervision: FuzzSupervision,
  { requests, seed, only, onNote = () => {} }: FuzzOptions,
): Promise<FuzzResult> {
  const subjects = fuzzSubjects(target).filter(({ name }) => only === undefined || only.includes(name));
  const result: FuzzResult = {
    requests: { rest: 0, panel: 0, console: 0 },
    shrinking: 0,
    kinds: { valid: 0, 'one field': 0, 'many fields': 0, transport: 0 },
    statuses: new Map(),
    unavailable: 0,
    unanswered: 0,
    neverAccepted: [],
    memory: null,
    failures: [],
  };
  const accepted = new Set<string>();
  const sender = createSender(target.url);
  const failuresOf = (name: string) => result.failures.filter(({ operation }) => operation === name).length;

  const judged = async (subject: Subject, request: FuzzRequest): Promise<string | null> => {
    if (subject.needsRefresh) await supervision.refresh();
    const answer = await sender.send(request);
    if (answer === null) result.unanswered++;
    else result.statuses.set(answer.status, (result.statuses.get(answer.status) ?? 0) + 1);
    const log = await supervision.takeErrorLines();
    if (log.length > 0) return `the log has an error: ${log[0]?.slice(0, 1_500)}`;
    if (answer === null) return null;
    if (answer.status < 300) accepted.add(subject.name);
    const { failure, isDocumentedUnavailability } = subject.judge(request, answer);
    if (isDocumentedUnavailability) result.unavailable++;
    if (failure !== null) return failure;
    // An operator sees every merchant.
    if (subject.surface === 'console') return null;
    const sent = request.target + request.body + decodeURIComponentOr(request.target);
    const leak = foreignLeak(target, answer, sent);
    return leak && `shows what is another merchant's: ${leak}`;
  };

  /**
   * Sends requests to one operation until one fails, which is then made smaller. Returns how many
   * of `count` are left.
   */
  const fuzzOne = async (subject: Subject, count: number, ownSeed: number) => {
    let left = count;
    let shrinksLeft = SHRINKS_MAX;
    let last = '';
    const property = fc.asyncProperty(subject.requests, async (request) => {
      const isShrinking = last !== '';
      if (isShrinking && shrinksLeft-- <= 0) return;
      if (isShrinking) result.shrinking++;
      else {
        left--;
        result.requests[subject.surface]++;
        result.kinds[request.kind]++;
      }
      const failure = await judged(subject, request).catch((error: unknown) => `${(error as Error).message}`);
      if (failure === null) return;
      last = failure;
      throw new Error(failure);
    });
    const details = await fc.check(property, { numRuns: count, seed: ownSeed });
    if (!details.failed) return 0;
    const [request] = details.counterexample ?? [];
    result.failures.push({
      operation: subject.name,
      what: details.errorInstance instanceof Error ? details.errorInstance.message : last,
      request: request ? describeRequest(request) : '',
      repeat: `--seed ${seed} --only ${subject.name}`,
    });
    return left;
  };

  let early: Memory | null = null;
  try {
    for (let round = 0; round < ROUNDS; round++) {
      for (const surface of ['rest', 'panel', 'console'] as const) {
        const ours = subjects.filter((subject) => subject.surface === surface);
        const all = only === undefined ? requests * SHARES[surface] : requests;
        for (const [at, subject] of ours.entries()) {
          const shareUntil = (index: number) =>
            Math.floor((all * (round * ours.length + index)) / (ROUNDS * ours.length));
          let count = shareUntil(at + 1) - shareUntil(at);
          // A failure ends a run: the remaining requests start another one.
          for (let again = 0; count > 0 && failuresOf(subject.name) < FAILURES_OF_ONE_MAX; again++)
            count = await fuzzOne(subject, count, ownSeed(seed, subject.name, round, again));
        }
      }
      await supervision.reopen();
      const memory = await supervision.measureMemory();
      early ??= memory;
      if (early && memory) {
        result.memory = { early, late: memory };
        onNote(
          `round ${round + 1} of ${ROUNDS}: heap ${mebibytes(memory.used)}, resident ${mebibytes(memory.resident)}`,
        );
      }
    }
  } finally {
    sender.close();
  }
  for (const what of await credentialsLost(target)) addFailure(result, 'the tenant', what);
  for (const line of await supervision.takeErrorLines()) addFailure(result, 'the log', line);
  if (result.statuses.size === 0) addFailure(result, 'the run', 'nothing was answered');
  result.neverAccepted = subjects.map(({ name }) => name).filter((name) => !accepted.has(name));
  for (const what of await supervision.checkLedger()) addFailure(result, 'the ledger', what);
  if (result.memory) {
    const { early: before, late } = result.memory;
    const growth = late.used / before.used;
    if (growth > MEMORY_GROWTH_MAX)
      addFailure(result, 'memory', `grew by ${growth.toFixed(2)}, ${MEMORY_GROWTH_MAX} is the most`);
  }
  return result;
}

/** The credentials that no longer work: requests of a tenant who is signed out prove nothing. */
async function credentialsLost({ url, keys, cookie }: FuzzTarget): Promise<string[]> {
  const asked = [
    ['the session', await ask(`${url}/api/trpc/test/session.me`, { headers: { cookie } })],
    ['the live key', await ask(`${url}/account`, { headers: { 'x-api-key': keys.live } })],
    ['the test key', await ask(`${url}/account`, { headers: { 'x-api-key': keys.test } })],
  ] as const;
  return asked.flatMap(([name, { status }]) => (status === 200 ? [] : [`${name} is answered ${status}`]));
}

const addFailure = (result: FuzzResult, operation: string, what: string) =>
  result.failures.push({ operation, what, request: '', repeat: '' });

/** Gives an operation the same requests, whichever others are fuzzed beside it. */
function ownSeed(seed: number, name: string, round: number, again: number): number {
  let hash = seed | 0;
  for (const character of `${name} ${round} ${again}`) hash = (Math.imul(hash, 31) + character.charCodeAt(0)) | 0;
  return hash;
}

function decodeURIComponentOr(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

export const mebibytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
