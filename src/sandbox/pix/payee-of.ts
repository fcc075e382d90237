import { createHash } from 'node:crypto';
import { maskDocument } from '#domain/encryption/masked.ts';

/** The first is the name in Efí's own example. */
const PEOPLE = [
  'Francisco da Silva',
  'Maria Aparecida Souza',
  'João Batista Oliveira',
  'Ana Clara Ferreira',
  'José Carlos Pereira',
  'Antônia Rodrigues Lima',
  'Luiz Fernando Costa',
  'Beatriz Almeida Rocha',
] as const;
const COMPANIES = ['Malhas do Sul Ltda', 'Rápido Serra Transportes S.A.', 'Ateliê Cerâmica Azul Ltda'] as const;

const CPF = /^[0-9]{11}$/;
const CNPJ = /^[0-9A-Z]{12}[0-9]{2}$/;

/**
 * Returns the owner of a key, as Efí has it (`favorecido.identificacao`): a person with the middle
 * digits of a CPF, or a company with its CNPJ. The owner is invented, and always the same for one
 * key.
 */
export function payeeOf(key: string): { nome: string; cpf: string } | { nome: string; cnpj: string } {
  const hash = createHash('sha256').update(key).digest();
  if (CNPJ.test(key)) return { nome: choose(COMPANIES, hash), cnpj: key };
  const digits = [...hash.subarray(1, 12)].map((byte) => byte % 10).join('');
  return { nome: choose(PEOPLE, hash), cpf: maskDocument(CPF.test(key) ? key : digits) };
}

const choose = <T>(from: readonly [T, ...T[]], hash: Buffer): T => from[(hash[0] ?? 0) % from.length] ?? from[0];
