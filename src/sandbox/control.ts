/** The control side, which no real provider has: pays charges and sets switches. */
import { z } from 'zod';
import { parseUnits, UNIT_DECIMALS } from '#domain/quotes/crypto-units.ts';
import { SANDBOX_SWITCHES } from '#domain/sandbox/sandbox-switches.ts';
import { fromDecimal, toDecimal } from '#domain/values/money.ts';
import { parseJson } from '#domain/values/parse-json.ts';
import { txidToUuid } from '#domain/values/uuid.ts';
import { text } from './body.ts';
import { confirmPayments, expireInvoice, payInvoice } from './crypto/pay-invoice.ts';
import { findPayable } from './find-payable.ts';
import { bearerToken, sameSecret } from './oauth.ts';
import { VALOR } from './pix/cob-request.ts';
import { expireCob, removeCobOfPsp } from './pix/end-cob.ts';
import { payCob } from './pix/pay.ts';
import { presentPayment } from './pix/payments.ts';
import { controlProblem } from './problems.ts';
import type { SandboxOptions } from './sandbox-options.ts';
import type { Reply, SandboxRequest } from './sandbox-request.ts';
import { readSwitches, type SwitchName, writeSwitch } from './switches.ts';
import { byClock, clockOrder, findClockOf, findClockState, setClock } from './test-clocks.ts';

const payRequest = z.object({
  txid: text(35),
  chave: text(77).optional(),
  amount: z.string().optional(),
  force: z.boolean().default(false),
  infoPagador: text(140).optional(),
  share: z.string().optional(),
  unconfirmed: z.boolean().default(false),
});

/** A command for one charge or invoice. */
const txidRequest = z.object({ txid: text(35) });

/** More than a hundred times the amount is a typing mistake. */
const SHARE_MAX = 100n * 10n ** BigInt(UNIT_DECIMALS);

const switchRequest = z.object({ name: z.string(), value: z.string() });

/** Throws a 401 Problem unless the request carries the control token. */
export function requireControl(options: SandboxOptions, request: SandboxRequest): void {
  const given = bearerToken(request.headers.authorization) ?? '';
  if (options.controlTokens.some((token) => sameSecret(given, token))) return;
  throw controlProblem(401, 'Send the control token: `authorization: Bearer <control token>`.', {
    headers: { 'www-authenticate': 'Bearer' },
  });
}

/**
 * POST /control/pay {txid, amount?, force?, infoPagador?, chave?}: {endToEndId, txid, valor}. A
 * txid whose uuid is the order number of a crypto invoice takes {txid, share?, unconfirmed?,
 * force?}: {txnId, received, currency, txHash, confirmations}. Throws control Problems: 400, 404,
 * 409.
 */
export async function postPay(options: SandboxOptions, bodyText: string): Promise<Reply> {
  const { txid, chave, amount, force, infoPagador, share, unconfirmed } = readCommand(
    payRequest,
    bodyText,
    '{"txid": "…", "amount"?: "12.34", "force"?: true, "infoPagador"?: "…", "chave"?: "…"}, of a crypto invoice {"txid": "…", "share"?: "0.5", "unconfirmed"?: true, "force"?: true}',
  );
  const payable = await findPayable(options.pool, { txid, chave });
  return byClock(payable.clock, async () => {
    const orderNumber = txidToUuid(txid);
    const invoice = { amount, share: readShare(share), unconfirmed, force };
    const receipt = orderNumber && payable.isInvoice ? await payInvoice(options, { ...invoice, orderNumber }) : null;
    if (receipt) return { status: 200, body: receipt };
    if (share !== undefined || unconfirmed) {
      throw controlProblem(
        404,
        'There is no crypto invoice with this txid; `share` and `unconfirmed` are for those only.',
      );
    }
    const command = { txid, chave, amountCentavos: readAmount(amount), force, infoPagador };
    const { endToEndId, valor } = presentPayment(await payCob(options, command, payable));
    return { status: 200, body: { endToEndId, txid, valor } };
  });
}

/**
 * POST /control/confirm {txid}: the network confirms the payments made with `unconfirmed`. Answers
 * as for a crypto payment. Throws control Problems: 400, 404, 409.
 */
export async function postConfirm(options: SandboxOptions, bodyText: string): Promise<Reply> {
  const { txid } = readCommand(txidRequest, bodyText, '{"txid": "…"}');
  const orderNumber = txidToUuid(txid);
  const receipt = orderNumber && (await confirmPayments(options, orderNumber));
  if (receipt) return { status: 200, body: receipt };
  throw controlProblem(404, 'There is no crypto invoice with this txid; create it with GET /invoices/new first.', {
    reason: 'unknown',
  });
}

/**
 * POST /control/expire {txid}: the time of a charge or an invoice runs out now: {expiresAt}. Throws
 * control Problems: 400, 404, 409.
 */
export async function postExpire(options: SandboxOptions, bodyText: string): Promise<Reply> {
  const { txid } = readCommand(txidRequest, bodyText, '{"txid": "…"}');
  const orderNumber = txidToUuid(txid);
  const expired = (orderNumber && (await expireInvoice(options, orderNumber))) || (await expireCob(options, txid));
  return { status: 200, body: expired };
}

/**
 * POST /control/remove {txid}: the PSP removes a charge by itself: {status}. It sends no callback,
 * as PSPs don't. Throws control Problems: 400, 404, 409.
 */
export async function postRemove(options: SandboxOptions, bodyText: string): Promise<Reply> {
  const { txid } = readCommand(txidRequest, bodyText, '{"txid": "…"}');
  return { status: 200, body: await removeCobOfPsp(options, txid) };
}

/**
 * POST /control/clock {id, now, subjects?}: {next, unreported}. Sets a test clock, takes the steps
 * that are due by it, sends their callbacks, and answers when the next step is due, or null, and
 * how much has happened so far that no callback reports. Moves `subjects` to the clock: txids of
 * charges, ids of payouts, and order numbers of invoices without hyphens. Throws a 400 control
 * Problem.
 */
export async function postClock(
  options: SandboxOptions,
  bodyText: string,
  drainClock: (id: string) => Promise<void>,
): Promise<Reply> {
  const order = readCommand(clockOrder, bodyText, '{"id": "<uuid>", "now": "<instant>", "subjects"?: ["<txid>"]}');
  const clock = await setClock(options.pool, order, options.clock());
  await drainClock(clock.id);
  const { next, unreported } = await findClockState(options.pool, clock.id);
  return { status: 200, body: { next: next?.toISOString() ?? null, unreported } };
}

/**
 * Does `work` by the test clock of the charge or invoice that the body names in `txid`; by the
 * sandbox's own time when it has none. Throws a 400 Problem when the body is not valid JSON.
 */
export async function bySubjectsClock(
  options: SandboxOptions,
  bodyText: string,
  work: (bodyText: string) => Promise<Reply>,
): Promise<Reply> {
  const named = z.object({ txid: z.string() }).safeParse(parseJson(bodyText));
  const clock = named.success ? await findClockOf(options.pool, named.data.txid) : null;
  return byClock(clock, () => work(bodyText));
}

/** GET /control/switches: {name: value, …}. */
export async function getSwitches(options: SandboxOptions): Promise<Reply> {
  return { status: 200, body: await readSwitches(options.pool) };
}

/**
 * PUT /control/switches {name, value}: answers the values of all switches. Throws a 400 control
 * Problem for an unknown name or value.
 */
export async function putSwitch(options: SandboxOptions, bodyText: string): Promise<Reply> {
  const { name, value } = readCommand(switchRequest, bodyText, '{"name": "…", "value": "…"}');
  if (!isSwitchName(name)) {
    throw controlProblem(
      400,
      `There is no switch of that name; choose one of: ${Object.keys(SANDBOX_SWITCHES).join(', ')}.`,
    );
  }
  const allowed: readonly string[] = SANDBOX_SWITCHES[name];
  if (!allowed.includes(value)) {
    throw controlProblem(400, `The switch ${name} has no such value; choose one of: ${allowed.join(', ')}.`);
  }
  await writeSwitch(options.pool, name, value);
  return getSwitches(options);
}

function isSwitchName(name: string): name is SwitchName {
  return Object.hasOwn(SANDBOX_SWITCHES, name);
}

function readAmount(amount: string | undefined): bigint | undefined {
  if (amount === undefined) return undefined;
  const centavos = fromDecimal(amount);
  if (centavos === null || centavos <= 0n || !VALOR.test(toDecimal(centavos))) {
    throw controlProblem(400, 'The amount must be reais as text, above zero, with at most two decimals, e.g. "12.34".');
  }
  return centavos;
}

function readShare(share: string | undefined): bigint | undefined {
  if (share === undefined) return undefined;
  const units = parseUnits(share);
  if (units === null || units <= 0n || units > SHARE_MAX) {
    throw controlProblem(400, 'The share must be a decimal text above 0 and up to 100, e.g. "0.5".');
  }
  return units;
}

function readCommand<T>(schema: z.ZodType<T>, bodyText: string, shape: string): T {
  try {
    return schema.parse(JSON.parse(bodyText));
  } catch {
    throw controlProblem(400, `The body must be JSON of this shape: ${shape}`);
  }
}
