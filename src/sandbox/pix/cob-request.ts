import { z } from 'zod';
import { text } from '../body.ts';

/** The standard's default when `calendario.expiracao` is absent: one day. */
const DEFAULT_EXPIRATION_SECONDS = 86_400;

/** An amount on the wire: reais with exactly two decimals. */
export const VALOR = /^\d{1,10}\.\d{2}$/;
/** A txid that a client chooses for a charge. */
export const TXID = /^[a-zA-Z0-9]{26,35}$/;

/** API Pix 2.9.0, schema CobSolicitada, without Pix Saque/Troco. Unknown fields are ignored. */
export const cobRequest = z.object({
  calendario: z.object({
    expiracao: z
      .int32()
      .positive('O campo cob.calendario.expiracao é igual ou menor que zero.')
      .default(DEFAULT_EXPIRATION_SECONDS),
  }),
  devedor: z
    .object({
      cpf: z
        .string()
        .regex(/^\d{11}$/)
        .optional(),
      cnpj: z
        .string()
        .regex(/^[0-9A-Z]{14}$/)
        .optional(),
      nome: text(200),
    })
    .refine(
      ({ cpf, cnpj }) => (cpf === undefined) !== (cnpj === undefined),
      'O objeto cob.devedor não respeita o _schema_.',
    )
    .optional(),
  // This PSP has no /loc, so a location chosen by the client can't exist.
  loc: z.undefined('O location referenciado por loc.id inexiste.').optional(),
  valor: z.object({
    original: z
      .string()
      .regex(VALOR)
      .refine((valor) => !VALOR.test(valor) || /[1-9]/.test(valor), 'O campo cob.valor.original é zero.'),
    modalidadeAlteracao: z.union([z.literal(0), z.literal(1)]).optional(),
  }),
  chave: text(77),
  solicitacaoPagador: text(140).optional(),
  infoAdicionais: z
    .array(z.object({ nome: text(50), valor: text(200) }))
    .max(50)
    .optional(),
});

export type CobRequest = z.infer<typeof cobRequest>;

/**
 * The only revision that this PSP supports is a removal, without other fields (CobOperacaoInvalida,
 * PATCH).
 */
export const cobRemoval = z.strictObject({ status: z.literal('REMOVIDA_PELO_USUARIO_RECEBEDOR') });
