import type { z } from 'zod';
import type { Outcome, PixCharge, PixChargeRequest, PixRail } from '../ports.ts';
import {
  type ApiPixCall,
  type ApiPixClientOptions,
  createApiPixClient,
  overallDeadline,
  type Reply,
} from './api-pix-client.ts';
import { parsePixCallback } from './callback.ts';
import { readProblem } from './problem.ts';
import { charge, chargeBody, payment, webhook } from './wire.ts';

export type ApiPixRailOptions = ApiPixClientOptions & {
  /** Kept with every transaction. */
  name: string;
  /** Our receiving key (`chave`): charges are made out to it and callbacks are registered for it. */
  pixKey: string;
  /** Called once for each call of the port, for metrics. */
  onCall?: (call: RailCall) => void;
};

export type RailCall = {
  rail: string;
  operation: string;
  outcome: 'done' | 'refused' | 'unknown';
  durationMs: number;
};

/**
 * PIX in over the central bank's API Pix 2.9.0 (github.com/bacen/pix-api), which every PSP of the arrangement speaks.
 * No method rejects: what goes wrong is `refused` or `unknown`, and a reason never holds a payer's data or a secret.
 */
export function createApiPixRail(options: ApiPixRailOptions): PixRail {
  const { name, pixKey, onCall } = options;
  const client = createApiPixClient(options);
  const webhookPath = `/webhook/${encodeURIComponent(pixKey)}`;

  async function measured<T>(operation: string, work: (deadline: number) => Promise<Outcome<T>>) {
    const startedAt = performance.now();
    const result = await work(overallDeadline());
    onCall?.({ rail: name, operation, outcome: result.outcome, durationMs: performance.now() - startedAt });
    return result;
  }

  /** A GET; what the PSP does not know is null. */
  async function find<T>(path: string, schema: z.ZodType<T>, deadline: number): Promise<Outcome<T | null>> {
    const { reply } = await client.send({ method: 'GET', path }, deadline);
    const missing = reply.kind === 'answered' && reply.status === 404 && readProblem(reply.json) !== null;
    return missing ? done(null) : settle(reply, (json) => read(schema, json));
  }

  async function findCharge(txid: string, deadline: number): Promise<Outcome<PixCharge | null>> {
    const found = await find(`/cob/${encodeURIComponent(txid)}`, charge, deadline);
    return found.outcome === 'done' && found.value ? aboutTxid(found.value, txid) : found;
  }

  async function createCharge(request: PixChargeRequest, deadline: number): Promise<Outcome<PixCharge>> {
    const path = `/cob/${encodeURIComponent(request.txid)}`;
    const call: ApiPixCall = { method: 'PUT', path, body: chargeBody(request, pixKey) };
    const { reply, repeated } = await client.send(call, deadline);
    const created = settle(
      reply,
      (json) => read(charge, json),
      (line) => withoutPayer(line, request),
    );
    if (created.outcome === 'done') return asRequested(created.value, request);
    if (created.outcome === 'unknown') return created;

    // PSPs refuse a txid in use: when an attempt whose answer got lost has created the charge, or when the charge has
    // been paid since (API Pix 2.9.0, CobOperacaoInvalida). The charge is there then, and `refused` would be untrue.
    const existing = await findCharge(request.txid, deadline);
    if (existing.outcome === 'done') return existing.value ? asRequested(existing.value, request) : created;
    return repeated ? unknown(`${created.reason}, after an attempt without an answer`) : created;
  }

  return {
    name,
    createCharge: (request) => measured('createCharge', (deadline) => createCharge(request, deadline)),
    findCharge: (txid) => measured('findCharge', (deadline) => findCharge(txid, deadline)),
    findPayment: (endToEndId) =>
      measured('findPayment', async (deadline) => {
        const found = await find(`/pix/${encodeURIComponent(endToEndId)}`, payment, deadline);
        if (found.outcome !== 'done' || found.value === null || found.value.endToEndId === endToEndId) return found;
        return unknown('the PSP answered about another payment');
      }),
    registerWebhook: (webhookUrl) =>
      measured('registerWebhook', async (deadline) => {
        const current = await find(webhookPath, webhook, deadline);
        if (current.outcome !== 'done') return current;
        if (current.value?.webhookUrl === webhookUrl) return done(null);
        const call: ApiPixCall = { method: 'PUT', path: webhookPath, body: JSON.stringify({ webhookUrl }) };
        const { reply } = await client.send(call, deadline);
        return settle(reply, () => done(null));
      }),
    parseCallback: parsePixCallback,
    close: client.close,
  };
}

const done = <T>(value: T): Outcome<T> => ({ outcome: 'done', value });
const unknown = (reason: string): Outcome<never> => ({ outcome: 'unknown', reason });

/** Only the API itself refuses: a 4xx without a problem body may come from anything in between. */
function settle<T>(
  reply: Reply,
  accept: (json: unknown) => Outcome<T>,
  conceal?: (line: string) => string,
): Outcome<T> {
  if (reply.kind === 'denied') return { outcome: 'refused', reason: reply.reason };
  if (reply.kind === 'silent') return unknown(reply.reason);
  const { status, json } = reply;
  if (status >= 200 && status < 300) return accept(json);
  const problem = readProblem(json, conceal);
  const reason = `HTTP ${status} ${problem ?? 'without a problem body'}`;
  return problem !== null && status >= 400 && status < 500 && status !== 429
    ? { outcome: 'refused', reason }
    : unknown(reason);
}

/** Names the fields that are not as the standard has them, never their values. */
function read<T>(schema: z.ZodType<T>, json: unknown): Outcome<T> {
  const parsed = schema.safeParse(json);
  if (parsed.success) return done(parsed.data);
  const fields = parsed.error.issues.map((issue) => issue.path.join('.') || 'the body');
  return unknown(`not an API Pix answer: ${[...new Set(fields)].slice(0, 5).join(', ')}`);
}

function aboutTxid(found: PixCharge, txid: string): Outcome<PixCharge> {
  const same = found.txid === txid && found.payments.every((listed) => listed.txid === txid);
  return same ? done(found) : unknown('the PSP answered about another txid');
}

function asRequested(found: PixCharge, request: PixChargeRequest): Outcome<PixCharge> {
  if (found.amountCentavos !== request.amountCentavos) return unknown('the PSP answered about another amount');
  return aboutTxid(found, request.txid);
}

/** A PSP may quote what it refuses, with a document's dots and dashes, or in capitals. */
function withoutPayer(line: string, { payer }: PixChargeRequest): string {
  if (payer === null) return line;
  const document = Array.from(payer.document, escaped).join('[./-]?');
  return [document, escaped(payer.name)]
    .filter(Boolean)
    .reduce((text, secret) => text.replace(new RegExp(secret, 'gi'), '***'), line);
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
