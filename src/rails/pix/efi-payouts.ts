import { z } from 'zod';
import { toDecimal } from '#domain/values/money.ts';
import type { PayoutFailure } from '#domain/withdrawals/payout-failures.ts';
import type {
  Outcome,
  PayoutOutcome,
  PixPaymentsQuery,
  PixPayout,
  PixPayoutRequest,
  PixSentPayment,
  PixSentPaymentsPage,
} from '../ports.ts';
import { done, type Listed, read, readPage, settle, unknown } from './answer.ts';
import { type ApiPixClientOptions, createApiPixClient } from './api-pix-client.ts';
import { problemType } from './problem.ts';
import { receiver } from './receiver.ts';
import {
  amount,
  cut,
  END_TO_END_ID,
  instant,
  listOf,
  listParameters,
  MAX_DESCRIPTION_CHARACTERS,
  periodQuery,
  RETURN_ID,
} from './wire.ts';

/** dev.efipay.com.br, "Envio e Pagamento Pix". */
const SCOPES = 'pix.send gn.pix.send.read';
/**
 * Efí answers 409 `id_envio_duplicado` to an id in use; with the two others the payout is not
 * decided yet.
 */
const UNDECIDED_STATUSES = [408, 409, 425];
/** An id in use in words, where it comes with another status. */
const ID_IN_USE = /(?=.*\bid[ _]?(?:de )?envio)(?=.*(?:duplicad|utilizad|usad|existe|em uso))/is;
/**
 * Efí's answer for a payout that it does not have, on its page for the list as well ("Consultar
 * lista de Pix enviados", 404).
 */
const NONE_SENT = 'PixEnviadoNaoEncontrado';
/** The same as one of Efí's own names, as it has them for what is received. */
const NONE_SENT_NAME = /^(?:pix|envio|id_envio)(?:_\w+)?_nao_encontrado$/;
/**
 * The SPI's reasons (ISO 20022, pacs.002): two letters and two digits, and those of another form.
 */
const SPI_CODE = /\b(?:[A-Z]{2}[0-9]{2}|AGNT|DS0G|DTED|DUPL|FRAD|UPAY)\b/;

export type EfiPayoutOptions = ApiPixClientOptions & { pixKey: string; lostAfterMs: number };

type EfiPayouts = {
  send(request: PixPayoutRequest, deadline: number): Promise<PayoutOutcome<PixPayout>>;
  find(payoutId: string, deadline: number): Promise<Outcome<PixPayout | null>>;
  list(query: Omit<PixPaymentsQuery, 'refundedOnly'>, deadline: number): Promise<Outcome<PixSentPaymentsPage>>;
  lostAfterMs: number;
  close(): Promise<void>;
};

/**
 * Sends PIX as Efí has it (dev.efipay.com.br, "Envio e Pagamento Pix"): `baseUrl` is its host
 * without a version, and `pixKey` must have a webhook. It has a connection and a token of its own,
 * so that the token for receiving can't send.
 */
export function createEfiPayouts(options: EfiPayoutOptions): EfiPayouts {
  const { pixKey, lostAfterMs } = options;
  const client = createApiPixClient(options, SCOPES);

  return {
    async send(request, deadline) {
      const path = `/v3/gn/pix/${encodeURIComponent(request.payoutId)}`;
      const call = { method: 'PUT', path, body: payoutBody(request, pixKey), once: true } as const;
      const { reply } = await client.send(call, deadline);
      const secrets = [...client.secrets, request.pixKey, pixKey];
      const sent = settle(reply, (json) => read(payout, json), secrets);
      if (sent.outcome === 'done') return asRequested(sent.value, request);
      if (sent.outcome === 'unknown') return sent;
      if (reply.kind !== 'answered') return { ...sent, failureCode: null };
      // An id in use belongs to a payout of an earlier call, which may have been paid.
      if (UNDECIDED_STATUSES.includes(reply.status) || ID_IN_USE.test(sent.reason)) return unknown(sent.reason);
      return { ...sent, failureCode: rejectionCode(reply.json, sent.reason) };
    },
    async find(payoutId, deadline) {
      const path = `/v2/gn/pix/enviados/id-envio/${encodeURIComponent(payoutId)}`;
      const { reply } = await client.send({ method: 'GET', path }, deadline);
      if (reply.kind === 'answered' && saysNoneSent(reply.status, reply.json)) return done(null);
      const found = settle(reply, (json) => read(payout, json), client.secrets);
      if (found.outcome !== 'done' || found.value.payoutId === payoutId) return found;
      return unknown('the PSP answered about another payout');
    },
    async list(query, deadline) {
      const path = `/v2/gn/pix/enviados?${periodQuery(query)}`;
      const { reply } = await client.send({ method: 'GET', path }, deadline);
      if (reply.kind === 'answered' && reply.status === 404 && problemType(reply.json) === NONE_SENT) {
        return done({ payouts: [], unreadable: 0, hasMore: false });
      }
      return settle(reply, (json) => readPage(payouts, query, json), client.secrets);
    },
    lostAfterMs,
    close: client.close,
  };
}

/**
 * Returns whether Efí answered that it has no such payout. Another 404 is not believed, whatever
 * its body: for a payout that the PSP does not have the money is given back, and the standard's
 * general NaoEncontrado, or a gateway's problem body, is about the path as well.
 */
function saysNoneSent(status: number, json: unknown): boolean {
  const type = status === 404 || status === 400 ? problemType(json) : null;
  return type === NONE_SENT || (type !== null && NONE_SENT_NAME.test(type));
}

function payoutBody(request: PixPayoutRequest, pixKey: string): string {
  const { description } = request;
  return JSON.stringify({
    valor: toDecimal(request.amountCentavos),
    pagador: {
      chave: pixKey,
      infoPagador: description ? cut(description, MAX_DESCRIPTION_CHARACTERS) : undefined,
    },
    favorecido: { chave: request.pixKey },
  });
}

function asRequested(sent: PixPayout, request: PixPayoutRequest): PayoutOutcome<PixPayout> {
  if (sent.payoutId !== request.payoutId) return unknown('the PSP answered about another payout');
  if (sent.amountCentavos !== request.amountCentavos) return unknown('the PSP answered about another amount');
  return { outcome: 'done', value: sent };
}

const text = z.string().nullish().catch(null);
const failure = z.object({ codigo: text, motivo: text }).nullish().catch(null);
const extras = z.object({ erro: failure }).nullish().catch(null);
/** An id of another form is left out, because Efí's own examples have ids that are too short. */
const endToEndId = z.string().regex(END_TO_END_ID).nullish().catch(null);

/**
 * A state that Efí does not document makes the answer unusable, which leaves the payout open rather
 * than wrongly ended.
 */
const payoutStatus = z.enum(['EM_PROCESSAMENTO', 'REALIZADO', 'NAO_REALIZADO']).transform((status) => {
  if (status === 'EM_PROCESSAMENTO') return 'processing' as const;
  return status === 'REALIZADO' ? ('completed' as const) : ('failed' as const);
});

/**
 * The answer to both calls: sending has `e2eId`, querying has `endToEndId`. Efí documents why a
 * payout failed only in the callback (`gnExtras.erro`). That the answer to a query has it in the
 * same place, or in words in `motivo`, is assumed.
 */
const payout = z
  .object({
    idEnvio: z.string(),
    valor: amount,
    status: payoutStatus,
    e2eId: endToEndId,
    endToEndId,
    favorecido: receiver,
    gnExtras: extras,
    motivo: text,
  })
  .transform(
    ({ idEnvio, valor, status, e2eId, endToEndId: asked, favorecido, gnExtras, motivo }): PixPayout => ({
      payoutId: idEnvio,
      status,
      amountCentavos: valor,
      endToEndId: asked ?? e2eId ?? null,
      receiver: favorecido,
      failureCode: status === 'failed' ? spiCode([gnExtras?.erro?.codigo, gnExtras?.erro?.motivo, motivo]) : null,
    }),
  );

const returnTimes = z.object({
  solicitacao: instant.nullish().catch(null),
  liquidacao: instant.nullish().catch(null),
});

/**
 * An entry of `devolucoes` of what was sent: money that came back. Efí's pages show none; a public
 * schema of its answers has an `rtrId`, a `valor` and the time as a text, and neither the `id` nor
 * the `status` of the standard's entries. Those are read as well.
 */
const sentReturn = z
  .object({
    rtrId: z.string().regex(RETURN_ID),
    valor: amount,
    horario: z
      .union([instant, returnTimes.transform(({ liquidacao, solicitacao }) => liquidacao ?? solicitacao ?? null)])
      .nullish()
      .catch(null),
  })
  .transform(({ rtrId, valor, horario }) => ({ returnId: rtrId, amountCentavos: valor, at: horario ?? null }));

const cameBack = z.object({ status: z.literal('DEVOLVIDO').nullish() });

/** `null`: it has not come back, or not yet. */
function readReturn(entry: unknown): z.output<typeof sentReturn> | 'unreadable' | null {
  if (!cameBack.safeParse(entry).success) return null;
  return sentReturn.safeParse(entry).data ?? 'unreadable';
}

const sentPayment = z
  .object({
    endToEndId: z.string().regex(END_TO_END_ID),
    idEnvio: text,
    valor: amount,
    status: payoutStatus,
    horario: z.object({ solicitacao: instant, liquidacao: instant.nullish().catch(null) }),
    devolucoes: listOf(z.unknown().transform(readReturn)).nullish().catch(null),
  })
  .transform(({ endToEndId, idEnvio, valor, status, horario, devolucoes }) => {
    const sentAt = horario.liquidacao ?? horario.solicitacao;
    const returns = (devolucoes ?? []).filter((back) => back !== null);
    const payout: PixSentPayment = {
      payoutId: idEnvio ?? null,
      endToEndId,
      status,
      amountCentavos: valor,
      sentAt,
      returns: returns.flatMap((back) => (back === 'unreadable' ? [] : { ...back, at: back.at ?? sentAt })),
    };
    return { payout, unreadableReturns: returns.length - payout.returns.length };
  })
  .nullable()
  .catch(null);

/**
 * `GET /v2/gn/pix/enviados`: Efí's page shows only an entry; its clients read `parametros` and
 * `pix` as in the standard's lists. One entry that can't be read does not affect the others. Money
 * that came back can't be booked without the id of its return, so that is counted as unreadable.
 */
const payouts = z
  .object({ parametros: listParameters, pix: listOf(sentPayment).nullish() })
  .transform(({ parametros: { paginacao }, pix }): Listed<PixSentPaymentsPage> => {
    const readable = (pix ?? []).filter((listed) => listed !== null);
    const unreadable = (pix ?? []).length - readable.length;
    const content = {
      payouts: readable.map(({ payout }) => payout),
      unreadable: readable.reduce((sum, { unreadableReturns }) => sum + unreadableReturns, unreadable),
    };
    return { content, pages: paginacao.quantidadeDePaginas };
  });

/** Efí's name of the rejection of a key that DICT does not have. */
const KEY_NOT_FOUND = 'chave_favorecido_nao_encontrada';

/**
 * Efí documents no code in a rejection; these are the places where it would be, followed by the
 * words (all assumed).
 */
const rejection = z.object({ gnExtras: extras, erro: failure, codigo: text });

/**
 * `reason` has no keys in it any more: an EVP key in capitals could contain what looks like a code.
 */
function rejectionCode(json: unknown, reason: string): string | null {
  if (problemType(json) === KEY_NOT_FOUND) return 'key_not_found' satisfies PayoutFailure;
  const { data } = rejection.safeParse(json);
  return spiCode([data?.gnExtras?.erro?.codigo, data?.erro?.codigo, data?.codigo, reason]);
}

function spiCode(texts: (string | null | undefined)[]): string | null {
  return texts.map((each) => SPI_CODE.exec(each ?? '')?.[0]).find(Boolean) ?? null;
}
