import type { Outcome, PixCharge, PixChargeRequest } from '../ports.ts';
import { done, find, read, settle, unknown } from './answer.ts';
import type { ApiPixClient } from './api-pix-client.ts';
import { charge, chargeBody } from './wire.ts';

/** API Pix 2.9.0, CobRevisada: how the receiver ends a charge; no other field is allowed. */
const REMOVE = JSON.stringify({ status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' });

type Charges = {
  create(request: PixChargeRequest, deadline: number): Promise<Outcome<PixCharge>>;
  find(txid: string, deadline: number): Promise<Outcome<PixCharge | null>>;
  cancel(txid: string, deadline: number): Promise<Outcome<PixCharge | null>>;
};

/** The calls of `/cob/{txid}`, for charges that are made out to `pixKey`. */
export function createCharges(client: ApiPixClient, pixKey: string): Charges {
  async function findCharge(txid: string, deadline: number): Promise<Outcome<PixCharge | null>> {
    const found = await find(client, pathOf(txid), charge, deadline);
    return found.outcome === 'done' && found.value ? aboutTxid(found.value, txid) : found;
  }

  async function create(request: PixChargeRequest, deadline: number): Promise<Outcome<PixCharge>> {
    const body = chargeBody(request, pixKey);
    const call = { method: 'PUT', path: pathOf(request.txid), body, awaited: true } as const;
    const { reply, repeated } = await client.send(call, deadline);
    const { payer } = request;
    const secrets = payer ? [...client.secrets, payer.document, payer.name] : client.secrets;
    const created = settle(reply, (json) => read(charge, json), secrets);
    if (created.outcome === 'done') return asRequested(created.value, request);
    if (created.outcome === 'unknown') return created;

    // PSPs reject a txid in use: when an attempt whose answer got lost has created the charge, or
    // when the charge has been paid since (API Pix 2.9.0, CobOperacaoInvalida). Then the charge
    // exists, and `rejected` would be untrue.
    const existing = await findCharge(request.txid, deadline);
    if (existing.outcome === 'done') return existing.value ? asRequested(existing.value, request) : created;
    return repeated ? unknown(`${created.reason}, after an attempt without an answer`) : created;
  }

  async function cancel(txid: string, deadline: number): Promise<Outcome<PixCharge | null>> {
    const { reply } = await client.send({ method: 'PATCH', path: pathOf(txid), body: REMOVE }, deadline);
    const removed = settle(reply, (json) => read(charge, json), client.secrets);
    const ended = removed.outcome === 'done' ? asEnded(aboutTxid(removed.value, txid)) : removed;
    if (ended.outcome === 'done') return ended;

    // It was paid or removed before, or the answer got lost: the charge itself shows which.
    const existing = await findCharge(txid, deadline);
    if (existing.outcome !== 'done') return unknown(`${ended.reason}; asked for the charge: ${existing.reason}`);
    if (existing.value?.status === null) return UNKNOWN_STATUS;
    return existing.value?.status === 'active' ? ended : existing;
  }

  return { create, find: findCharge, cancel };
}

const pathOf = (txid: string) => `/cob/${encodeURIComponent(txid)}`;

function aboutTxid(found: PixCharge, txid: string): Outcome<PixCharge> {
  const same = found.txid === txid && found.payments.every((listed) => listed.txid === txid);
  return same ? done(found) : unknown('the PSP answered about another txid');
}

function asRequested(found: PixCharge, request: PixChargeRequest): Outcome<PixCharge> {
  if (found.amountCentavos !== request.amountCentavos) return unknown('the PSP answered about another amount');
  if (found.status === null) return UNKNOWN_STATUS;
  return aboutTxid(found, request.txid);
}

const UNKNOWN_STATUS = unknown('the PSP answered with a status that is not known');

function asEnded(found: Outcome<PixCharge>): Outcome<PixCharge> {
  if (found.outcome === 'done' && found.value.status === null) return UNKNOWN_STATUS;
  const left = found.outcome === 'done' && found.value.status === 'active';
  return left ? unknown('the PSP left the charge active') : found;
}
