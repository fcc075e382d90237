import { txidToUuid } from '#domain/values/uuid.ts';
import { type OnProviderCall, traceCall } from '../call-trace.ts';
import type { PixRail } from '../ports.ts';
import { done, find, settle, unknown } from './answer.ts';
import { type ApiPixClientOptions, createApiPixClient, overallDeadline } from './api-pix-client.ts';
import { createCharges } from './charges.ts';
import { createEfiBalance } from './efi-balance.ts';
import { createEfiDisputes } from './efi-disputes.ts';
import { createEfiPayouts } from './efi-payouts.ts';
import { createKeyOwners } from './key-owners.ts';
import { listPayments } from './list-payments.ts';
import { parsePixCallback } from './parse-pix-callback.ts';
import { findPspProfile } from './profiles/psp-profiles.ts';
import { createRefunds } from './refunds.ts';
import { payment, webhook } from './wire.ts';

/** The scopes of what this adapter calls, and no more (API Pix 2.9.0, security scheme OAuth2). */
const SCOPES = 'cob.read cob.write pix.read pix.write webhook.read webhook.write';

export type ApiPixRailOptions = ApiPixClientOptions & {
  /** Stored with every transaction. */
  name: string;
  /**
   * Our key (`chave`): charges are made out to it, callbacks are registered for it and payouts are
   * sent from it.
   */
  pixKey: string;
  /**
   * Sending PIX and reading the balance as Efí has it, see efi-payouts.ts; without it the rail can
   * do neither.
   */
  payouts?: { baseUrl: string; lostAfterMs: number };
  /**
   * Disputes as Efí has them, see efi-disputes.ts; from the profile of the host of `baseUrl` where
   * it is not given.
   */
  disputes?: { baseUrl: string };
  /** Finding the owner of a key, see key-owners.ts; without it the rail can't. */
  keyOwners?: { baseUrl: string };
  /** Called once for each call of the port, for metrics. */
  onCall?: (call: RailCall) => void;
  /** Called for each HTTP call to the PSP about a transaction, to record it. */
  onProviderCall?: OnProviderCall | undefined;
};

export type RailCall = {
  rail: string;
  /** Of the provider's API, with the port. */
  host: string;
  operation: string;
  outcome: 'done' | 'rejected' | 'unknown';
  durationMs: number;
};

/**
 * PIX in over the central bank's API Pix 2.9.0 (github.com/bacen/pix-api), which every PSP of the
 * arrangement implements, and PIX out by `payouts`. No method rejects: a failure is `rejected` or
 * `unknown`, and a reason never holds a payer's data, a payee's key or a secret.
 */
export function createApiPixRail(options: ApiPixRailOptions): PixRail {
  const { name, pixKey, onCall, onProviderCall } = options;
  const { host } = new URL(options.baseUrl);
  const client = createApiPixClient(options, SCOPES);
  const charges = createCharges(client, pixKey);
  const refunds = createRefunds(client);
  const payouts = options.payouts ? createEfiPayouts({ ...options, ...options.payouts }) : null;
  const disputesUrl = options.disputes?.baseUrl ?? disputesUrlOf(options.baseUrl);
  const disputes = disputesUrl === null ? null : createEfiDisputes({ ...options, baseUrl: disputesUrl });
  const balance = options.payouts ? createEfiBalance({ ...options, ...options.payouts }) : null;
  const keyOwners = options.keyOwners ? createKeyOwners({ ...options, ...options.keyOwners }) : null;
  const webhookPath = `/webhook/${encodeURIComponent(pixKey)}`;

  async function measured<O extends { outcome: RailCall['outcome'] }>(
    operation: string,
    work: (deadline: number) => Promise<O>,
    /** The txid or payout id of our transaction, where the call has one. */
    txid?: string,
  ): Promise<O> {
    const startedAt = performance.now();
    const ownId = txid === undefined ? null : txidToUuid(txid);
    const result = await traceCall({ rail: name, operation, ownId, onProviderCall }, () => work(overallDeadline()));
    onCall?.({ rail: name, host, operation, outcome: result.outcome, durationMs: performance.now() - startedAt });
    return result;
  }

  return {
    name,
    host,
    createCharge: (request) => measured('createCharge', (deadline) => charges.create(request, deadline), request.txid),
    findCharge: (txid) => measured('findCharge', (deadline) => charges.find(txid, deadline), txid),
    cancelCharge: (txid) => measured('cancelCharge', (deadline) => charges.cancel(txid, deadline), txid),
    findPayment: (endToEndId) =>
      measured('findPayment', async (deadline) => {
        const found = await find(client, `/pix/${encodeURIComponent(endToEndId)}`, payment, deadline);
        if (found.outcome !== 'done' || found.value === null || found.value.endToEndId === endToEndId) return found;
        return unknown('the PSP answered about another payment');
      }),
    listPayments: (query) => measured('listPayments', (deadline) => listPayments(client, query, deadline)),
    refundPayment: (request) => measured('refundPayment', (deadline) => refunds.refund(request, deadline)),
    findRefund: (endToEndId, refundId) =>
      measured('findRefund', (deadline) => refunds.find(endToEndId, refundId, deadline)),
    payouts: payouts && {
      sendPayout: (request) => measured('sendPayout', (deadline) => payouts.send(request, deadline), request.payoutId),
      findPayout: (payoutId) => measured('findPayout', (deadline) => payouts.find(payoutId, deadline), payoutId),
      listPayouts: (query) => measured('listPayouts', (deadline) => payouts.list(query, deadline)),
      lostAfterMs: payouts.lostAfterMs,
    },
    disputes: disputes && {
      listDisputes: (query) => measured('listDisputes', (deadline) => disputes.list(query, deadline)),
      findDispute: (providerId) => measured('findDispute', (deadline) => disputes.find(providerId, deadline)),
      answerDispute: (answer) => measured('answerDispute', (deadline) => disputes.answer(answer, deadline)),
    },
    balance: balance && (() => measured('balance', (deadline) => balance.find(deadline))),
    findKeyOwner: keyOwners && ((query) => measured('findKeyOwner', (deadline) => keyOwners.find(query, deadline))),
    registerWebhook: (webhookUrl) =>
      measured('registerWebhook', async (deadline) => {
        const current = await find(client, webhookPath, webhook, deadline);
        if (current.outcome !== 'done') return current;
        if (current.value?.webhookUrl === webhookUrl) return done(null);
        const call = { method: 'PUT', path: webhookPath, body: JSON.stringify({ webhookUrl }) } as const;
        const { reply } = await client.send(call, deadline);
        return settle(reply, () => done(null), client.secrets);
      }),
    parseCallback: parsePixCallback,
    async close() {
      await Promise.all([client.close(), payouts?.close(), disputes?.close(), balance?.close(), keyOwners?.close()]);
    },
  };
}

/** The routes for disputes are beside the standard's, directly below the host. */
const disputesUrlOf = (baseUrl: string): string | null =>
  findPspProfile(baseUrl)?.routes.disputes ? new URL(baseUrl).origin : null;
