import { z } from 'zod';
import { onOneLine } from '#domain/values/typed-name.ts';
import type { PixReceiver } from '../ports.ts';
import { cut } from './wire.ts';

/**
 * DICT allows 120 characters for a person's or a company's name; the rest is a margin for other
 * PSPs.
 */
const MAX_NAME_CHARACTERS = 200;
/** A CPF or CNPJ, whole or with asterisks for what is hidden, with its punctuation or without. */
const DOCUMENT = /^[0-9A-Za-z*]{2,3}[0-9A-Za-z*./-]{8,15}$/;

/** The owner of the receiving account chooses it, so it is made storable and put on one line. */
const name = z
  .string()
  .transform((text) => cut(onOneLine(text), MAX_NAME_CHARACTERS))
  .pipe(z.string().min(1));
const document = z.string().regex(DOCUMENT).nullish().catch(null);

/**
 * `favorecido` of a PIX that was sent (Efí, "Consultar Pix enviado"): `identificacao` has the name,
 * and a masked CPF or a CNPJ. Whether the money moved does not depend on it, so one that can't be
 * read counts as none.
 */
export const receiver = z
  .object({ identificacao: z.object({ nome: name, cpf: document, cnpj: document }) })
  .transform(({ identificacao: { nome, cpf, cnpj } }): PixReceiver => ({ name: nome, document: cpf ?? cnpj ?? null }))
  .nullable()
  .catch(null);
