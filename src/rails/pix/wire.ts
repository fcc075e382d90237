import { z } from 'zod';
import { encodeDynamicBrCode } from '#domain/charges/br-code.ts';
import { fromDecimal, toDecimal } from '#domain/values/money.ts';
import { isStorableText } from '#domain/values/storable-text.ts';
import { attempt } from '../attempt.ts';
import type {
  PixCharge,
  PixChargeRequest,
  PixPayment,
  PixPaymentRefund,
  PixPaymentsPage,
  PixPaymentsQuery,
  PixRefund,
  PixRefundRequest,
} from '../ports.ts';
import type { Listed } from './answer.ts';

/** API Pix 2.9.0, EndToEndId; a payment's begins with E, a refund's with D. */
export const END_TO_END_ID = /^E[a-zA-Z0-9]{31}$/;
/** API Pix 2.9.0, RtrId. */
export const RETURN_ID = /^D[a-zA-Z0-9]{31}$/;
/**
 * The id of what was received. A Pix that was sent and came back may be listed as received, under
 * the id of its return. How is not documented, and what is not read here would go unnoticed.
 */
export const RECEIVED_ID = /^[DE][a-zA-Z0-9]{31}$/;
/** A payment's txid; shorter than a charge's when it comes from a static code. */
export const TXID = /^[a-zA-Z0-9]{1,35}$/;
/** API Pix 2.9.0, DevolucaoId. */
export const REFUND_ID = /^[a-zA-Z0-9]{1,35}$/;
/** Efí's idEnvio. */
export const PAYOUT_ID = /^[a-zA-Z0-9]{1,35}$/;

/**
 * API Pix 2.9.0, CobSolicitada and DevolucaoSolicitada; Efí, infoPagador: longer texts are
 * rejected, so they are cut.
 */
export const MAX_DESCRIPTION_CHARACTERS = 140;
const MAX_PAYER_NAME_CHARACTERS = 200;
/** API Pix 2.9.0, calendario.expiracao: the default where an answer does not have it. */
const DEFAULT_EXPIRY_SECONDS = 86_400;

/** Returns the body of `PUT /cob/{txid}`, as JSON text. */
export function chargeBody(request: PixChargeRequest, pixKey: string): string {
  const { payer, description } = request;
  return JSON.stringify({
    calendario: { expiracao: request.expiresInSeconds },
    devedor: payer
      ? { [payer.documentType]: payer.document, nome: cut(payer.name, MAX_PAYER_NAME_CHARACTERS) }
      : undefined,
    valor: { original: toDecimal(request.amountCentavos) },
    chave: pixKey,
    solicitacaoPagador: description ? cut(description, MAX_DESCRIPTION_CHARACTERS) : undefined,
  });
}

/**
 * Returns the body of `PUT /pix/{e2eid}/devolucao/{id}`, as JSON text: money that a customer paid
 * goes back (MD06).
 */
export function refundBody({ amountCentavos, description }: PixRefundRequest): string {
  return JSON.stringify({
    valor: toDecimal(amountCentavos),
    natureza: 'ORIGINAL',
    descricao: description ? cut(description, MAX_DESCRIPTION_CHARACTERS) : undefined,
  });
}

/** Inter has answered `20.0` (github.com/renatojdev/bancointer-python, test_consultar_pix). */
const ONE_DECIMAL = /\.\d$/;
export const amount = z
  .string()
  .transform((text) => fromDecimal(text.replace(ONE_DECIMAL, '$&0')))
  .pipe(z.bigint());
export const instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

/**
 * New states are a compatible change of the standard ("Evolução da API Pix"): an unknown one is
 * `null`, and what the answer lists as paid counts all the same.
 */
const CHARGE_STATUSES = new Map<string, PixCharge['status']>([
  ['ATIVA', 'active'],
  ['CONCLUIDA', 'paid'],
  ['REMOVIDA_PELO_USUARIO_RECEBEDOR', 'cancelled'],
  ['REMOVIDA_PELO_PSP', 'cancelled'],
]);
const chargeStatus = z.string().transform((status) => CHARGE_STATUSES.get(status) ?? null);

/** API Pix 2.9.0, DevolucaoNatureza: the returns of the central bank's mechanism. */
const MED_NATURES = ['MED_FRAUDE', 'MED_OPERACIONAL', 'MED_PIX_AUTOMATICO'];

/**
 * An entry of a payment's `devolucoes` (schema Devolucao). What went back counts once it is
 * DEVOLVIDO; any other state, known or not, is read again later.
 */
const paymentRefund = z
  .object({
    id: z.string().regex(REFUND_ID),
    rtrId: z.string().regex(RETURN_ID).nullish().catch(null),
    valor: amount,
    natureza: z.string().nullish().catch(null),
    status: z.string(),
    horario: z
      .object({ solicitacao: instant.nullish().catch(null), liquidacao: instant.nullish().catch(null) })
      .nullish()
      .catch(null),
  })
  .transform(({ id, rtrId, valor, natureza, status, horario }): Omit<PixPaymentRefund, 'at'> & { at: Date | null } => ({
    refundId: id,
    returnId: rtrId ?? null,
    amountCentavos: valor,
    completed: status === 'DEVOLVIDO',
    kind: natureza && MED_NATURES.includes(natureza) ? 'med_return' : 'made_at_bank',
    at: horario?.liquidacao ?? horario?.solicitacao ?? null,
  }))
  .nullable()
  .catch(null);

/**
 * A list of the standard, whose own example, and some PSPs, have a single entry as the object
 * itself.
 */
export const listOf = <T>(entry: z.ZodType<T>) =>
  z.preprocess(
    (value) => (typeof value === 'object' && value !== null && !Array.isArray(value) ? [value] : value),
    z.array(entry),
  );

/** API Pix 2.9.0, schema Pix: `GET /pix/{e2eid}`, and the entries of a charge's `pix`. */
export const payment = z
  .object({
    endToEndId: z.string().regex(RECEIVED_ID),
    // Optional in the standard. A payment without a valid txid must not be lost.
    txid: z.string().regex(TXID).nullish().catch(null),
    valor: amount,
    horario: instant,
    infoPagador: z.string().nullish().catch(null),
    devolucoes: listOf(paymentRefund).nullish().catch(null),
  })
  .transform(
    ({ endToEndId, txid, valor, horario, infoPagador, devolucoes }): PixPayment => ({
      endToEndId,
      txid: txid ?? null,
      amountCentavos: valor,
      paidAt: horario,
      payerNote: infoPagador ? cut(infoPagador, MAX_DESCRIPTION_CHARACTERS) : null,
      refunds: (devolucoes ?? [])
        .filter((refund) => refund !== null)
        .map((refund) => ({ ...refund, at: refund.at ?? horario })),
    }),
  );

/** API Pix 2.9.0, PaginacaoItensPorPagina: every PSP accepts this number. */
const PAYMENTS_PER_PAGE = 100;

/** Returns the path and query of `GET /pix`. */
export const paymentsPath = ({ refundedOnly, ...period }: PixPaymentsQuery, inSeconds?: boolean): string =>
  `/pix?${periodQuery(period, PAYMENTS_PER_PAGE, inSeconds)}${refundedOnly ? '&devolucaoPresente=true' : ''}`;

const MILLISECONDS = /\.\d{3}(?=Z$)/;
/** Returns a time as the query of a list has it; `inSeconds`: without its milliseconds. */
export function queryTime(time: Date, inSeconds = false): string {
  const text = time.toISOString();
  return inSeconds ? text.replace(MILLISECONDS, '') : text;
}

/** Returns the query of a page of a list, the same for every list of the standard. */
export function periodQuery(
  { from, to, page }: Omit<PixPaymentsQuery, 'refundedOnly'>,
  perPage = PAYMENTS_PER_PAGE,
  inSeconds?: boolean,
): URLSearchParams {
  return new URLSearchParams({
    inicio: queryTime(from, inSeconds),
    fim: queryTime(to, inSeconds),
    'paginacao.paginaAtual': String(page),
    'paginacao.itensPorPagina': String(perPage),
  });
}

export const listParameters = z.object({ paginacao: z.object({ quantidadeDePaginas: z.int().nonnegative() }) });

/**
 * API Pix 2.9.0, schema PixConsultados. One entry that can't be read does not affect the others; it
 * is counted, and so is money that went back of a payment in an entry that can't be read.
 */
export const payments = z
  .object({ parametros: listParameters, pix: listOf(z.unknown()).nullish() })
  .transform(({ parametros: { paginacao }, pix }): Listed<PixPaymentsPage> => {
    const entries = (pix ?? []).map((entry) => ({ entry, read: payment.safeParse(entry).data }));
    const readable = entries.filter(({ read }) => read !== undefined);
    const unreadableRefunds = readable.map(({ entry }) => countUnreadableRefunds(entry));
    const unreadable = entries.length - readable.length + unreadableRefunds.reduce((sum, count) => sum + count, 0);
    const content = { payments: readable.flatMap(({ read }) => read ?? []), unreadable };
    return { content, pages: paginacao.quantidadeDePaginas };
  });

const refundsOf = z.object({ devolucoes: z.unknown().transform((listed) => [listed].flat()) });
const returned = z.object({ status: z.literal('DEVOLVIDO') });

/** Returns how many entries of a payment's `devolucoes` went back and can't be read. */
function countUnreadableRefunds(entry: unknown): number {
  const listed = refundsOf.safeParse(entry).data?.devolucoes ?? [];
  return listed.filter((refund) => returned.safeParse(refund).success && paymentRefund.parse(refund) === null).length;
}

const text = z.string().min(1).nullish().catch(null);
const code = z.string().min(1).max(512).nullish().catch(null);
const SCHEME = /^https?:\/\//;

/**
 * Returns the code of a charge that comes without one, as the standard allows: the code that leads
 * to the location of its payload. Clients of Santander make it so (github.com/juspay/hyperswitch,
 * santander/transformers.rs, generate_emv_string; the example of github.com/frones/ACBr,
 * GerarQRCodeDinamico). The payer's bank reads everything else there, the receiver's name included.
 */
function codeOf(location: string | null, amountCentavos: bigint): string | null {
  if (location === null) return null;
  const receiver = { merchantName: '', merchantCity: '' };
  return attempt(() => encodeDynamicBrCode({ location: location.replace(SCHEME, ''), ...receiver, amountCentavos }));
}

/** API Pix 2.9.0, schemas CobGerada and CobCompleta. */
export const charge = z
  .object({
    txid: z.string(),
    status: chargeStatus,
    calendario: z
      .object({
        criacao: instant.nullable().catch(null),
        expiracao: z.int().positive().default(DEFAULT_EXPIRY_SECONDS).nullable().catch(null),
      })
      .nullish()
      .catch(null),
    valor: z.object({ original: amount }),
    pixCopiaECola: code,
    // Sicoob's name of it (github.com/Sicoob-Cooperativa/sicoob_sdk_java, pix/api/openapi.yaml).
    brcode: code,
    location: text,
    loc: z.object({ location: text }).nullish().catch(null),
    pix: listOf(payment.nullable().catch(null)).nullish(),
  })
  .transform(({ pixCopiaECola, brcode, location, loc, ...rest }) => ({
    ...rest,
    brCode: pixCopiaECola ?? brcode ?? codeOf(location ?? loc?.location ?? null, rest.valor.original),
  }))
  .transform(
    ({ txid, status, calendario, valor, brCode, pix }): PixCharge => ({
      txid,
      // A payment that can't be read may be the one that matters.
      status: pix?.includes(null) ? null : status,
      amountCentavos: valor.original,
      // A code with a character replaced would be another code. Whether the charge is paid does not
      // depend on it.
      brCode: brCode !== null && isStorableText(brCode) ? brCode : null,
      createdAt: calendario?.criacao ?? null,
      expiresInSeconds: calendario?.expiracao ?? null,
      // A payment that is listed under a charge paid that charge, also where the PSP does not
      // repeat its txid.
      payments: (pix ?? []).flatMap((listed) => (listed ? { ...listed, txid: listed.txid ?? txid } : [])),
    }),
  );

const refundStatus = z.enum(['EM_PROCESSAMENTO', 'DEVOLVIDO', 'NAO_REALIZADO']).transform((status) => {
  if (status === 'EM_PROCESSAMENTO') return 'processing' as const;
  return status === 'DEVOLVIDO' ? ('completed' as const) : ('failed' as const);
});

/** API Pix 2.9.0, schema Devolucao. Some PSPs leave out `rtrId` until the return is on its way. */
export const refund = z
  .object({
    id: z.string(),
    rtrId: z.string().regex(RETURN_ID).nullish().catch(null),
    valor: amount,
    status: refundStatus,
    motivo: z.string().nullish().catch(null),
  })
  .transform(
    ({ id, rtrId, valor, status, motivo }): PixRefund => ({
      refundId: id,
      status,
      amountCentavos: valor,
      returnId: rtrId ?? null,
      reason: motivo ? cut(motivo, MAX_DESCRIPTION_CHARACTERS) : null,
    }),
  );

/** API Pix 2.9.0, schema WebhookCompleto. */
export const webhook = z.object({ webhookUrl: z.string() });

/** Cuts by code points, so that no character is halved. */
export function cut(text: string, maxCharacters: number): string {
  return text.length <= maxCharacters ? text : Array.from(text).slice(0, maxCharacters).join('');
}
