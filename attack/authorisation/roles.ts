import { ROLES, type Role } from '#domain/members/roles.ts';
import { resumeAccount, suspendAccount } from '#services/accounts/suspend-account.ts';
import { openMember } from '../../src/testing/panel-browser.ts';
import { ask, leakIn, type RawAnswer } from '../answers.ts';
import { reasonIn } from './bodies.ts';
import { confirmed } from './confirmed.ts';
import { FILES } from './files.ts';
import type { Matrix } from './matrix.ts';
import { type PanelOperation, panelOperations } from './operations.ts';
import { callPage, cookieOf } from './panel.ts';

const READS = [
  /^(live|search|detail|overview|statement|proof|terms|balance|currencies)\./,
  /^session\./,
  /^security\.(get|end\w+)$/,
  /^preferences\.(get|setLook|setNotification)$/,
  /^transactions\.(list|get|status)$/,
  /^account\.(get|limits)$/,
  /^testClock\.get$/,
  /^webhooks\.delivery$/,
  /^(disputes|disputeCase)\.(list|get)$/,
  /^customers\.(list|get|transactions)$/,
  /^download\/dispute$/,
  /^sandbox\.(state|subjects?)$/,
  /^notices\.(list|read|readAll)$/,
  /^export\/(proof\.json|statement\.csv|statement\.ofx|transactions\.csv)$/,
];
const SERVES_PAYERS = [
  ...READS,
  /^(charges\.create|deposits\.crypto|transactions\.cancel|firstSteps\.get)$/,
  /^webhooks\.(deliveries|resend)$/,
  /^events\.(list|get|resend)$/,
  /^sandbox\.(command|setSwitch)$/,
];

/** What each role may do, repeated here, so that the suite does not rely on the routers' table. */
const MAY: Record<Role, readonly RegExp[]> = {
  owner: [/./],
  finance: [
    ...SERVES_PAYERS,
    /^(withdrawals|withdrawalPreview|reconciliation|unmatched)\./,
    /^(approvals\.(approve|decline)|batches\..+)$/,
    /^((payees|addressBook)\..+|thresholds\.get)$/,
    /^export\/reconciliation(-items)?\.csv$/,
    /^(disputeCase\.removeFile|upload\/dispute|customers\.export)$/,
    /^(transactions\.refund|disputes\.answer|preferences\.setCurrency|security\.activity|export\/activity\.csv)$/,
  ],
  developer: [
    ...SERVES_PAYERS,
    /^(keys|webhooks|endpoints|requests|events|testClock)\./,
    /^(security\.activity|export\/activity\.csv|providers\.(get|check))$/,
  ],
  support: SERVES_PAYERS,
  viewer: READS,
};

/** Called last, so that no session ends before every procedure was called. */
const ENDS_SESSIONS = new Set(['security.endOtherSessions', 'people.remove']);

/** It does not exist before a day was closed. */
const PROOF = 'export/proof.json';

/**
 * Each procedure and file × each role × own merchant, another one, a suspended one: exactly what
 * the role may do is served, and the rest answers as what does not exist.
 */
export async function attackRoles(matrix: Matrix): Promise<void> {
  const { arena, service, attacker, victim } = matrix;
  const tally = arena.attack('procedures and files of roles');
  const cookieOfOne = cookieOf(attacker.browser);
  const nothing = {
    procedure: (await ask(`${service.url}/api/trpc/test/x`, { headers: { cookie: cookieOfOne } })).text,
    file: (await askFile(service.url, 'export/x', cookieOfOne)).text,
  };
  const suspendedRoles = arena.some(ROLES);
  for (const role of ROLES) {
    const { browser, email } = await openMember(service, `${role}.${attacker.email}`, {
      merchantId: attacker.merchantId,
      role,
    });
    const cookie = cookieOf(browser);
    const one = { service, attacker: { ...attacker, email, browser } };
    const operations = panelOperations().filter(({ rule }) => rule.who !== 'anyone');
    const call = async (operation: PanelOperation, of: 'own' | 'other') => {
      if (operation.rule.confirm) await confirmed(one);
      const { owned } = of === 'own' ? attacker : victim;
      return callPage(service, operation, { mode: 'test', owned: owned.test, cookie });
    };
    for (const operation of operations) {
      const { name } = operation;
      const may = MAY[role].some((names) => names.test(name));
      // A stream that the role may follow stays open: other attacks try that, and it takes seconds.
      if (may && (ENDS_SESSIONS.has(name) || operation.type === 'subscription')) continue;
      for (const of of operation.rule.names ? (['own', 'other'] as const) : (['own'] as const)) {
        const { answer, line, input } = await call(operation, of);
        const leak = of === 'other' && leakIn(answer, victim.canaries, input);
        tally(
          `${line} as ${role}, ids of ${of}`,
          leak ? `shows ${leak}` : judge(operation, answer, may ? null : nothing.procedure),
        );
      }
    }
    for (const name of FILES.filter((file) => file !== PROOF)) {
      const may = MAY[role].some((names) => names.test(name));
      const answer = await askFile(service.url, name, cookie);
      const isNothing = answer.status === 404 && answer.text === nothing.file;
      tally(`${name} as ${role}`, isNothing === !may ? null : `${answer.status} ${answer.text.slice(0, 120)}`);
    }
    if (!suspendedRoles.includes(role)) continue;
    await suspended(matrix, async () => {
      for (const operation of operations.filter(({ type }) => type === 'mutation')) {
        const may = MAY[role].some((names) => names.test(operation.name));
        if (may && (operation.rule.whileSuspended || ENDS_SESSIONS.has(operation.name))) continue;
        const { answer, line } = await call(operation, 'own');
        const isSuspended = answer.status === 403 && reasonIn(answer) === 'account_suspended';
        const failure = may ? (isSuspended ? null : `${answer.status}`) : judge(operation, answer, nothing.procedure);
        tally(`${line} as ${role} of a suspended account`, failure);
      }
    });
  }
}

/**
 * How an answer differs from the one that the role should get; null: it does not. `nothing`: the
 * answer of an unknown procedure, where the role may not call this one.
 */
function judge({ name, type }: PanelOperation, answer: RawAnswer, nothing: string | null): string | null {
  const asNothing = answer.text.replaceAll(`"${name}"`, '"x"');
  if (nothing === null) return /"httpStatus":404.*"reason":null/.test(asNothing) ? 'answered as nothing' : null;
  if (type === 'subscription') return /NOT_FOUND|404/.test(answer.text) ? null : answer.text.slice(0, 120);
  return answer.status === 404 && asNothing === nothing ? null : `${answer.status}: ${answer.text.slice(0, 160)}`;
}

function askFile(url: string, name: string, cookie: string): Promise<RawAnswer> {
  const [act, file] = name.split('/');
  const query = 'balance=available&from=2020-01-01&to=2020-01-31&format=pt-BR&kind=identity&id=x';
  const init =
    act === 'upload' ? { method: 'POST', headers: { cookie, origin: url }, body: 'x' } : { headers: { cookie } };
  return ask(`${url}/${act}/test/${file}?${query}`, init);
}

async function suspended({ service, attacker }: Matrix, work: () => Promise<void>): Promise<void> {
  const { accountId } = attacker.owned.test;
  await suspendAccount(service.deps, { accountId, reason: 'Prova' });
  await work();
  await resumeAccount(service.deps, accountId);
}
