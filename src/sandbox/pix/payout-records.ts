/**
 * A payout as it is stored, and as Efí shows it (dev.efipay.com.br, "Envio e Pagamento Pix" and
 * "Webhooks").
 */
import { randomBytes } from 'node:crypto';
import type { ClientBase } from 'pg';
import { toDecimal } from '#domain/values/money.ts';
import { ACCOUNT_NOT_FOUND } from './efi-errors.ts';
import { newEndToEndId } from './end-to-end-id.ts';
import { payeeOf } from './payee-of.ts';

export type Payout = {
  id_envio: string;
  end_to_end_id: string;
  /** The payer's key: that of the client. */
  chave: string;
  payee_key: string;
  /** `pg` returns a bigint as text. */
  amount_centavos: string;
  payer_note: string | null;
  status: 'EM_PROCESSAMENTO' | 'REALIZADO' | 'NAO_REALIZADO';
  asked_at: Date;
  settled_at: Date | null;
};

export const PAYOUT_COLUMNS =
  'id_envio, end_to_end_id, chave, payee_key, amount_centavos, payer_note, status, asked_at, settled_at';

/** Sends a payment from the PSP's own application, without a callback. */
export async function sendAtPsp(
  db: ClientBase,
  { document, chave, centavos, now }: { document: string; chave: string; centavos: bigint; now: Date },
): Promise<void> {
  await db.query(
    `INSERT INTO sandbox.payouts
       (id_envio, document, end_to_end_id, chave, payee_key, amount_centavos, status, ends_as, asked_at, settled_at)
     VALUES ($1, $2, $3, $4, $5, $6, 'REALIZADO', 'REALIZADO', $7, $7)`,
    [`psp${randomBytes(8).toString('hex')}`, document, newEndToEndId(now), chave, SUPPLIER_KEY, centavos, now],
  );
}

/** The receiver of payments from the PSP's own application. */
const SUPPLIER_KEY = 'fornecedor@example.com';

/**
 * The answer to a query. That it has `gnExtras.erro` is assumed: Efí documents that in the callback
 * only.
 */
export function presentPayout(payout: Payout) {
  return {
    endToEndId: payout.end_to_end_id,
    idEnvio: payout.id_envio,
    valor: toDecimal(BigInt(payout.amount_centavos)),
    chave: payout.chave,
    status: payout.status,
    infoPagador: payout.payer_note ?? undefined,
    horario: {
      solicitacao: payout.asked_at.toISOString(),
      liquidacao: payout.status === 'REALIZADO' ? payout.settled_at?.toISOString() : undefined,
    },
    favorecido: { chave: payout.payee_key, identificacao: payeeOf(payout.payee_key) },
    gnExtras: payout.status === 'NAO_REALIZADO' ? presentExtras(payout) : undefined,
  };
}

/** The entry of a callback (Efí, "Webhooks", example "Pix enviado"). */
export function presentNotice(payout: Payout) {
  return {
    endToEndId: payout.end_to_end_id,
    chave: payout.chave,
    tipo: 'SOLICITACAO',
    status: payout.status,
    valor: toDecimal(BigInt(payout.amount_centavos)),
    horario: payout.status === 'REALIZADO' ? payout.settled_at?.toISOString() : null,
    infoPagador: payout.payer_note ?? undefined,
    gnExtras: presentExtras(payout),
  };
}

function presentExtras({ id_envio, status }: Payout) {
  return { idEnvio: id_envio, erro: status === 'NAO_REALIZADO' ? ACCOUNT_NOT_FOUND : undefined };
}
