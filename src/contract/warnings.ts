import { z } from 'zod';
import { named } from './named.ts';

/** A field that was sent and that the operation does not have: it was ignored. */
export const warning = named(
  'Warning',
  z.object({
    field: z.string().describe('O nome enviado; de um campo dentro de outro, o caminho até ele.'),
    message: z.string().describe('O que aconteceu com ele.'),
    code: z.literal('unknown_field'),
    suggestion: z.string().optional().describe('O campo que provavelmente se quis enviar.'),
  }),
);

export type Warning = z.output<typeof warning>;

/** The description of `warnings`, in every body that has them. */
export const WARNINGS_DESCRIPTION =
  'Só quando a requisição tem campos ou parâmetros que a operação não tem: eles foram ignorados. No máximo 10.';
