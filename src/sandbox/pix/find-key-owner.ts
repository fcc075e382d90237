/**
 * Looks up the owner of a PIX key before it is paid. Efí has no such route; other PSPs have one
 * each of their own, and this one is the sandbox's.
 */
import { z } from 'zod';
import { dateInSaoPaulo } from '#domain/values/business-day.ts';
import { check, parseJson, text } from '../body.ts';
import { pixProblem } from '../problems.ts';
import type { SandboxOptions } from '../sandbox-options.ts';
import { type Reply, SILENCE } from '../sandbox-request.ts';
import { isQuerySilenced } from '../switches.ts';
import { VALOR } from './cob-request.ts';
import { changesHands, isUnknownPixKey } from './magic.ts';
import { payeeOf } from './payee-of.ts';

const question = z.object({ chave: text(77), valor: z.string().regex(VALOR) });

/**
 * POST /v1/chaves/titular: 200 with the owner. For an amount that ends in 16 the key has another
 * owner every day.
 */
export async function findKeyOwner(options: SandboxOptions, bodyText: string): Promise<Reply> {
  if (await isQuerySilenced(options.pool)) return SILENCE;
  const checked = check(question, parseJson(bodyText), 'chave');
  if (!checked.ok) throw pixProblem('RequisicaoInvalida', { violacoes: checked.violacoes });
  const { chave, valor } = checked.value;
  if (isUnknownPixKey(chave)) throw pixProblem('NaoEncontrado', { detail: 'A chave informada não foi encontrada.' });
  const owned = changesHands(valor) ? `${chave} ${dateInSaoPaulo(options.clock())}` : chave;
  return { status: 200, body: { chave, titular: { identificacao: payeeOf(owned) } } };
}
