import { z } from 'zod';
import { API_ERROR_CODES } from '#domain/errors/error-catalogue.ts';
import { API_ISSUE_CODES } from '#domain/errors/issues.ts';
import { named } from './named.ts';
import { openSet } from './value-sets.ts';
import { WARNINGS_DESCRIPTION, warning } from './warnings.ts';

const code = named('ErrorCode', openSet(API_ERROR_CODES)).describe(
  'Código estável do erro, para o seu programa comparar; não é traduzido nem muda. Em cada status, os códigos são os nomes dos exemplos.',
);

const pausedUntil = z
  .string()
  .optional()
  .describe('Só no erro Saques e devoluções pausados: quando a pausa termina, em ISO 8601.');

const usableFrom = z
  .string()
  .optional()
  .describe('Só no erro de um favorecido ainda em espera: a partir de quando o saque a ele é aceito, em ISO 8601.');

const transactionId = z
  .string()
  .optional()
  .describe('Só no erro Referência já usada: a transação que tem a reference, ou cuja devolução a tem.');

const details = z
  .array(
    named(
      'FieldError',
      z.object({
        field: z.string().describe('Nome do campo.'),
        message: z.string().describe('O que enviar.'),
        code: openSet(API_ISSUE_CODES).describe('Código estável do que há com o campo.'),
      }),
    ),
  )
  .optional()
  .describe('Os campos com erro, quando o erro é de campos.');

const warnings = z.array(warning).optional().describe(WARNINGS_DESCRIPTION);

/** The body of every error, except those of the crypto endpoints. */
export const errorBody = z.object({
  success: z.literal(false),
  error: z.string().describe('Nome curto do erro; não muda dentro de uma versão.'),
  message: z.string().describe('O que aconteceu e o que fazer.'),
  code,
  details,
  warnings,
  kyc_status: z.enum(['pending', 'rejected']).optional().describe('Só no erro KYC não aprovado: pending ou rejected.'),
  paused_until: pausedUntil,
  usable_from: usableFrom,
  transaction_id: transactionId,
});

/**
 * The body of the crypto endpoints' errors, except the one about KYC, which is the same everywhere.
 */
export const cryptoErrorBody = z.object({
  success: z.literal(false),
  message: z.string().describe('Nome do erro; não muda dentro de uma versão.'),
  error: z.string().optional().describe('Só com status 500: o que informar ao suporte.'),
  code,
  details,
  warnings,
  paused_until: pausedUntil,
  usable_from: usableFrom,
  transaction_id: transactionId,
});
