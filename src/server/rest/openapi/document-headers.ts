const integer = { type: 'integer', minimum: 0 };

/**
 * The header that every POST may carry. Each operation's example is a key of its own: one key is
 * one request.
 */
export const idempotencyKey = (example: string) => ({
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Torna a requisição segura para repetir: a mesma chave com a mesma requisição devolve a primeira resposta, sem executar de novo. 1 a 255 caracteres ASCII visíveis, sem espaços; vale por 30 dias nesta conta.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  example,
});

/** The headers of answers, by name. */
export const HEADERS = {
  'x-request-id': {
    description: 'Identifica esta resposta; informe-o ao suporte.',
    schema: { type: 'string', format: 'uuid' },
    example: '5f0c2a7e-8d4b-4e1f-9a63-2b7c8d9e0f1a',
  },
  'x-api-version': { description: 'A versão da API.', schema: { type: 'string' }, example: '2026-11-20' },
  'RateLimit-Limit': { description: 'Quantas requisições por minuto são aceitas.', schema: integer, example: 6000 },
  'RateLimit-Remaining': { description: 'Quantas ainda são aceitas agora.', schema: integer, example: 5999 },
  'RateLimit-Reset': { description: 'Em quantos segundos a contagem recomeça.', schema: integer, example: 42 },
  'RateLimit-Policy': {
    description: 'O limite e sua janela em segundos.',
    schema: { type: 'string' },
    example: '6000;w=60',
  },
  'Retry-After': { description: 'Em quantos segundos repetir.', schema: integer, example: 1 },
  'Idempotent-Replayed': {
    description: 'true: a resposta é a da primeira requisição com esta Idempotency-Key.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
} as const;

const ALWAYS = ['x-request-id', 'x-api-version'] as const;
/** Headers of an answer to a caller who is known. */
const RATE_LIMIT = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'RateLimit-Policy'] as const;
const UNKNOWN_CALLER = 401;
const RETRY_AFTER = new Set([409, 429, 503]);
/** Statuses that an Idempotency-Key can replay: the answer says the outcome of the request. */
const REPLAYED = new Set([200, 201, 400, 409]);

export type HeaderReferences = Record<string, { $ref: string }>;

/** The headers of an answer with this status. */
export function headersOf(status: number, isPost: boolean): HeaderReferences {
  const names: (keyof typeof HEADERS)[] = [...ALWAYS, ...(status === UNKNOWN_CALLER ? [] : RATE_LIMIT)];
  if (RETRY_AFTER.has(status)) names.push('Retry-After');
  if (isPost && REPLAYED.has(status)) names.push('Idempotent-Replayed');
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
