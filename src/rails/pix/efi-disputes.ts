import { z } from 'zod';
import { DISPUTABLE_MS, type DisputeReason } from '#domain/disputes/dispute-states.ts';
import { fromDecimal } from '#domain/values/money.ts';
import type { Outcome, PixDispute, PixDisputeAnswer, PixDisputesPage, PixPaymentsQuery } from '../ports.ts';
import { done, type Listed, readPage, settle, unknown } from './answer.ts';
import { type ApiPixClientOptions, createApiPixClient, type Reply } from './api-pix-client.ts';
import { END_TO_END_ID, instant, listParameters, periodQuery } from './wire.ts';

/** dev.efipay.com.br, "Endpoints exclusivos Efí". */
const SCOPES = 'gn.infractions.read gn.infractions.write';
/**
 * An entry is about 1.5 KiB, with the texts of payer and analyst; a page stays within the client's
 * limit for an answer.
 */
const DISPUTES_PER_PAGE = 20;
/**
 * More pages than anybody has cases in that time, so that a list without an end is not read for
 * ever.
 */
const FIND_PAGES_MAX = 50;

type DisputesQuery = Omit<PixPaymentsQuery, 'refundedOnly'>;

type EfiDisputes = {
  list(query: DisputesQuery, deadline: number): Promise<Outcome<PixDisputesPage>>;
  find(providerId: string, deadline: number): Promise<Outcome<PixDispute | null>>;
  answer(answer: PixDisputeAnswer, deadline: number): Promise<Outcome<'taken' | 'has_one'>>;
  close(): Promise<void>;
};

/**
 * Disputes as Efí has them (dev.efipay.com.br, "Listar infrações MED da conta" and "Submeter defesa
 * de infração MED"): `baseUrl` is its host without a version. It has a connection and a token of
 * its own, so that credentials without these scopes lose nothing else.
 */
export function createEfiDisputes(options: ApiPixClientOptions): EfiDisputes {
  const client = createApiPixClient(options, SCOPES);

  async function list(query: DisputesQuery, deadline: number): Promise<Outcome<PixDisputesPage>> {
    const path = `/v2/gn/infracoes?${periodQuery(query, DISPUTES_PER_PAGE)}`;
    const { reply } = await client.send({ method: 'GET', path }, deadline);
    return deniedScope(reply) ?? settle(reply, (json) => readPage(disputes, query, json), client.secrets);
  }

  return {
    list,
    /** Efí has no route for one case. */
    async find(providerId, deadline) {
      const to = options.clock();
      const from = new Date(to.getTime() - DISPUTABLE_MS);
      for (let page = 0; page < FIND_PAGES_MAX; page++) {
        const listed = await list({ from, to, page }, deadline);
        if (listed.outcome !== 'done') return listed;
        const found = listed.value.disputes.find((each) => each.providerId === providerId);
        if (found) return done(found);
        if (!listed.value.hasMore) return done(null);
      }
      return unknown('more cases than are read');
    },
    async answer({ providerId, answer, text }, deadline) {
      const path = `/v2/gn/infracoes/${encodeURIComponent(providerId)}/defesa`;
      const body = JSON.stringify({ analise: ANALYSES[answer], justificativa: text ?? JUSTIFICATIONS[answer] });
      const { reply } = await client.send({ method: 'POST', path, body, once: true }, deadline);
      // The case's text may be quoted back.
      const settled = settle(reply, () => done('taken' as const), [...client.secrets, ...(text ? [text] : [])]);
      const hasOne = reply.kind === 'answered' && reply.status === 409 && settled.outcome === 'rejected';
      if (hasOne && HAS_ONE.test(settled.reason)) return done('has_one');
      return deniedScope(reply) ?? settled;
    },
    close: client.close,
  };
}

/** Efí answers in OAuth's format, without a problem body, where the application lacks a scope. */
function deniedScope(reply: Reply) {
  if (reply.kind !== 'answered' || reply.status !== 403) return null;
  return { outcome: 'rejected', reason: `HTTP 403: the application needs the scopes ${SCOPES}` } as const;
}

/** That `aceito` accepts the payer's claim, as the state ACEITA does, is assumed. */
const ANALYSES = { agree: 'aceito', contest: 'rejeitado' } as const;
/** Efí wants a text. */
const JUSTIFICATIONS = {
  agree: 'O recebedor concorda com a devolução.',
  contest: 'O recebedor contesta a devolução.',
} as const;
/** A 409 with other words is about another receiver's case. */
const HAS_ONE = /defesa.*já foi criada/i;

const text = z.string().nullish().catch(null);
const optionalInstant = instant.nullish().catch(null);

const STATUSES = new Map<string, PixDispute['status']>([
  ['ABERTA', 'open'],
  ['EM_DEFESA', 'answered'],
  ['ACEITA', 'lost'],
  ['REJEITADA', 'won'],
]);
/**
 * Efí's page names CANCELADA_EFI twice; that one of them should be another state of this kind is
 * assumed.
 */
const CANCELLED = /^CANCELADA/;

/** Efí's words for how a payer was deceived; its other words give no reason. */
const FRAUDS = ['golpe', 'aquisição da conta', 'coerção', 'acesso fraudulento'];

/**
 * `valor` is "100" in Efí's example, which does not say whether these are reais or centavos. Only
 * two decimals leave no doubt.
 */
const contested = z
  .string()
  .regex(/\.\d{2}$/)
  .transform(fromDecimal)
  .nullish()
  .catch(null);

/**
 * A UUID in Efí's example; that other ids have no spaces and are not longer than this is assumed.
 */
const ID = /^[\x21-\x7e]{1,100}$/;
const DOCUMENT = /^(\d{11}|[0-9A-Z]{12}\d{2})$/;
const party = z.object({ documento: text }).nullish().catch(null);

/**
 * An entry of the list; its id, payment and state are required. That `prazoFinalizacao` is the
 * deadline for an answer, and `origem` the payer, is assumed.
 */
const dispute = z
  .object({
    idInfracao: z.string().regex(ID),
    endToEndId: z.string().regex(END_TO_END_ID),
    status: z.string(),
    valor: contested,
    razao: text,
    tipoSituacao: text,
    dadosAnalise: z
      .object({ abertura: optionalInstant, prazoFinalizacao: optionalInstant, recebimentoDefesa: optionalInstant })
      .nullish()
      .catch(null),
    origem: party,
    criadoEm: optionalInstant,
  })
  .transform(
    ({ idInfracao, endToEndId, status, valor, razao, tipoSituacao, dadosAnalise, origem, criadoEm }): PixDispute => ({
      providerId: idInfracao,
      endToEndId,
      status: CANCELLED.test(status) ? 'cancelled' : (STATUSES.get(status) ?? null),
      rawStatus: status,
      reason: reasonOf(tipoSituacao, razao),
      amountCentavos: valor ?? null,
      openedAt: dadosAnalise?.abertura ?? criadoEm ?? null,
      answerBy: dadosAnalise?.prazoFinalizacao ?? null,
      answeredAt: dadosAnalise?.recebimentoDefesa ?? null,
      payerDocument: documentOf(origem?.documento),
    }),
  )
  .nullable()
  .catch(null);

function reasonOf(situation: string | null | undefined, reason: string | null | undefined): DisputeReason {
  if (situation && FRAUDS.includes(situation.toLowerCase())) return 'fraud';
  return /falha operacional/i.test(`${situation ?? ''} ${reason ?? ''}`) ? 'operational_failure' : 'unknown';
}

function documentOf(written: string | null | undefined): string | null {
  const document = written?.replace(/[.\-/\s]/g, '') ?? '';
  return DOCUMENT.test(document) ? document : null;
}

/** One entry that can't be read does not affect the others. */
const disputes = z
  .object({ parametros: listParameters, infracoes: z.array(dispute).nullish() })
  .transform(({ parametros: { paginacao }, infracoes }): Listed<PixDisputesPage> => {
    const readable = (infracoes ?? []).filter((listed) => listed !== null);
    const unreadable = (infracoes ?? []).length - readable.length;
    return { content: { disputes: readable, unreadable }, pages: paginacao.quantidadeDePaginas };
  });
