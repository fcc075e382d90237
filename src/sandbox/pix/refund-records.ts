/** A devolução as it is stored, and as every answer shows it (API Pix 2.9.0, schema Devolucao). */
import { randomBytes } from 'node:crypto';
import type { ClientBase, Pool } from 'pg';
import { toDecimal } from '#domain/values/money.ts';
import { newReturnId } from './end-to-end-id.ts';

export type Refund = {
  end_to_end_id: string;
  id: string;
  return_id: string;
  /** `pg` returns a bigint as text. */
  amount_centavos: string;
  /** Schema DevolucaoNatureza. */
  nature: string;
  description: string | null;
  status: 'EM_PROCESSAMENTO' | 'DEVOLVIDO' | 'NAO_REALIZADO';
  /** Only where the devolução was not carried out. */
  reason: string | null;
  asked_at: Date;
  settled_at: Date | null;
};

export const REFUND_COLUMNS =
  'end_to_end_id, id, return_id, amount_centavos, nature, description, status, reason, asked_at, settled_at';

/** Returns the devoluções of these payments, oldest first. */
export async function findRefunds(db: Pool | ClientBase, endToEndIds: string[]): Promise<Refund[]> {
  const { rows } = await db.query<Refund>({
    name: 'sandbox_find_refunds',
    text: `SELECT ${REFUND_COLUMNS} FROM sandbox.refunds WHERE end_to_end_id = ANY($1) ORDER BY asked_at, id`,
    values: [endToEndIds],
  });
  return rows;
}

/** Gives a payment or a part of it back as the PSP itself does, without a callback. */
export async function returnAtPsp(
  db: ClientBase,
  endToEndId: string,
  { centavos, nature, now }: { centavos: bigint; nature: string; now: Date },
): Promise<void> {
  await db.query(
    `INSERT INTO sandbox.refunds
       (end_to_end_id, id, return_id, amount_centavos, nature, status, ends_as, asked_at, settled_at)
     VALUES ($1, $2, $3, $4, $5, 'DEVOLVIDO', 'DEVOLVIDO', $6, $6)`,
    [endToEndId, `psp${randomBytes(8).toString('hex')}`, newReturnId(now), centavos, nature, now],
  );
}

export function presentRefund(refund: Refund) {
  return {
    id: refund.id,
    rtrId: refund.return_id,
    valor: toDecimal(BigInt(refund.amount_centavos)),
    natureza: refund.nature,
    descricao: refund.description ?? undefined,
    horario: {
      solicitacao: refund.asked_at.toISOString(),
      liquidacao: refund.status === 'DEVOLVIDO' ? refund.settled_at?.toISOString() : undefined,
    },
    status: refund.status,
    motivo: refund.reason ?? undefined,
  };
}
