import { z } from 'zod';
import { ANSWER_TEXT_LENGTH_MAX, DISPUTE_ANSWERS } from '#domain/disputes/dispute-states.ts';
import { isUuid } from '#domain/values/uuid.ts';
import { brlOutput } from '../amounts.ts';
import { optional, parsed } from '../codecs.ts';
import { instantOutput, textInput } from '../fields.ts';
import { choiceOf, issue } from '../issues/issue-message.ts';
import { named } from '../named.ts';
import { limitInput, listOf, optionalParameter } from '../query-fields.ts';
import { disputeReason, disputeState } from '../value-sets.ts';

/** Disputes over REST and in the panel: payments that their payers contest (MED). */

const STATE_TEXT =
  'open: espera pela sua resposta; answered: espera pela decisão; won e cancelled: o valor voltou ao saldo; lost: espera pela devolução ao pagador; returned: devolvido ao pagador.';

/** Not checked here: a text that is no id is not found. */
const disputeIdInput = z.string().meta({ description: 'Identificador da contestação.', format: 'uuid' });

/** GET /payments/disputes; query parameters are texts. */
export const disputeListInput = z.object({
  state: listOf(disputeState, `Só as que estão assim, separadas por vírgulas. ${STATE_TEXT}`),
  limit: limitInput('Quantas contestações a página tem, no máximo.'),
  cursor: optionalParameter(
    parsed(
      z.string({ error: issue('not_cursor') }),
      (text) => (isUuid(text) ? text.toLowerCase() : null),
      String,
      'not_cursor',
    ).describe('O next_cursor da página anterior.'),
  ),
});

const dispute = {
  dispute_id: z.uuid(),
  transaction_id: z.uuid().describe('A cobrança PIX cujo pagamento é contestado.'),
  state: disputeState.describe(STATE_TEXT),
  reason: disputeReason.describe(
    'fraud: fraude ou golpe; operational_failure: falha operacional; unknown: o provedor não diz.',
  ),
  amount: brlOutput.describe('Valor contestado, em reais.'),
  held_amount: brlOutput.describe('Quanto dele está bloqueado agora, em reais.'),
  returned_amount: brlOutput.describe('Quanto foi devolvido ao pagador, em reais.'),
  opened_at: instantOutput,
  answer_by: instantOutput.describe('Até quando responder.'),
  answer: named('DisputeAnswer', z.enum(DISPUTE_ANSWERS))
    .nullable()
    .describe('agree: concordou em devolver; contest: contestou.'),
  answered_at: instantOutput.nullable(),
  closed_at: instantOutput.nullable(),
};

export const disputeListOutput = z.object({
  success: z.literal(true),
  data: z.array(named('DisputeItem', z.object(dispute))),
  next_cursor: z.uuid().nullable().describe('Envie como cursor para a próxima página; null na última.'),
});

/** GET /payments/disputes/{disputeId} */
export const disputeInput = z.object({ disputeId: disputeIdInput });

const wholeDispute = named(
  'Dispute',
  z.object({
    ...dispute,
    answer_text: z.string().nullable().describe('O que você escreveu com a resposta.'),
    answer_sent_at: instantOutput.nullable().describe('Quando a resposta chegou ao provedor; null: ainda não.'),
    answer_rejection: z.string().nullable().describe('Por que o provedor não aceitou a resposta, se não aceitou.'),
    answered_by: z.string().nullable().describe('Quem respondeu: uma pessoa ou uma chave de API.'),
  }),
);

export const disputeOutput = z.object({ success: z.literal(true), data: wholeDispute });

/** POST /payments/disputes/{disputeId}/answer */
export const disputeAnswerInput = z.object({
  disputeId: disputeIdInput,
  answer: named(
    'DisputeAnswer',
    z.enum(DISPUTE_ANSWERS, { error: issue('not_one_of', choiceOf(DISPUTE_ANSWERS)) }),
  ).describe('agree: o valor é devolvido ao pagador; contest: você defende o pagamento.'),
  text: optional(textInput(ANSWER_TEXT_LENGTH_MAX)).describe('Sua defesa, em palavras.'),
});

export const disputeAnswerOutput = z.object({
  success: z.literal(true),
  message: z.string(),
  data: wholeDispute,
});

/** A case as the pages get it. */
export type ListedDispute = z.input<typeof disputeListOutput>['data'][number];
export type WholeDispute = z.input<typeof disputeOutput>['data'];
