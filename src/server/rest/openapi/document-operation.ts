import { TRPCError } from '@trpc/server';
import type { z } from 'zod';
import { SERVED_VERSIONS } from '#contract/api-version.ts';
import { WARNINGS_DESCRIPTION } from '#contract/warnings.ts';
import type { Permission } from '#domain/api-keys/permissions.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { type ApiErrorCode, ERROR_CATALOGUE } from '#domain/errors/error-catalogue.ts';
import { messages } from '#messages/messages.ts';
import type { ProcedureMeta } from '../../procedures/procedure.ts';
import { toRestError } from '../errors.ts';
import { nameSchema } from './document-components.ts';
import { type HeaderReferences, headersOf, idempotencyKey } from './document-headers.ts';
import { CHARGE_ID } from './document-ids.ts';
import { cleanSchema, type Schema, withoutNull } from './document-schemas.ts';
import type { OperationExample } from './operation-example.ts';

/** What every operation can answer besides its own errors, and what every POST can. */
const COMMON_ERRORS: readonly ApiErrorCode[] = [
  'api_key_missing',
  'api_key_invalid',
  'unsupported_version',
  'ip_not_allowed',
  'account_suspended',
  'rate_limited',
  'internal',
  'unavailable',
];
const POST_ERRORS: readonly ApiErrorCode[] = [
  'invalid_json',
  'invalid_idempotency_key',
  'idempotency_key_running',
  'idempotency_key_reused',
  'body_too_large',
  'unsupported_media_type',
];

/** What the bodies of errors have besides their texts. */
const EXAMPLE_EXTRA: Partial<Record<ApiErrorCode, Record<string, string>>> = {
  kyc_not_approved: { kyc_status: 'pending' },
  withdrawals_paused: { paused_until: '2026-11-21T12:30:00.000Z' },
  payee_waits: { usable_from: '2026-11-21T12:30:00.000Z' },
  reference_taken: { transaction_id: CHARGE_ID },
};

/** The params of the texts of errors. */
const EXAMPLE_TEXT_PARAMS: Partial<Record<ApiErrorCode, Record<string, string>>> = {
  below_minimum: { minimum: 'R$ 1,00' },
  above_maximum: { maximum: 'R$ 5.000,00' },
  rail_closed: { reason: 'manutenção no banco' },
  too_many_endpoints: { max: '10' },
  unsupported_version: { versions: SERVED_VERSIONS.join(', ') },
};

/** A placeholder for an id that a response's header has too. */
const EXAMPLE_REQUEST_ID = '5f0c2a7e-8d4b-4e1f-9a63-2b7c8d9e0f1a';

type Parameter = { name: string; in: string; required?: boolean; schema: Schema; [member: string]: unknown };
type Content = { 'application/json': { schema: Schema | { $ref: string }; example?: unknown; examples?: object } };

/** What trpc-openapi makes of a procedure's input. */
export type GeneratedOperation = {
  parameters?: Parameter[];
  requestBody?: { content: Content };
};

export type Response = { description: string; headers: HeaderReferences; content: Content };

export type Operation = {
  operationId: string | undefined;
  summary: string;
  description: string;
  tags: string[] | undefined;
  /** With the permission that the key needs: OpenAPI 3.1 has them as names of roles. */
  security: { 'x-api-key': Permission[] }[];
  parameters: (Parameter | { $ref: string })[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, Response | { $ref: string }>;
};

/** The meta of a procedure that is a REST operation. */
export type OperationMeta = ProcedureMeta & Required<Pick<ProcedureMeta, 'openapi'>>;

type OperationParts = {
  meta: OperationMeta;
  operation: GeneratedOperation;
  example: OperationExample;
  inputSchema: z.ZodType;
  /** Of the body of a success. */
  answer: Schema;
};

/** Returns an operation as the document has it: with parameters, body, examples and errors. */
export function describeOperation(parts: OperationParts): Operation {
  const { operationId, tags, method } = parts.meta.openapi;
  const isPost = method === 'POST';
  const input = Object.entries(parts.example.input);
  const examples = new Map<string, unknown>(input);
  const parameters = (parts.operation.parameters ?? []).map((one) => describeParameter(one, examples.get(one.name)));
  const names = new Set(parameters.map(({ name }) => name));
  const body = Object.fromEntries(input.filter(([name]) => !names.has(name)));
  const schema = parts.operation.requestBody?.content['application/json'].schema;
  const bodyName = clientName(operationId, 'Body');
  return {
    operationId,
    ...textsOf(operationId),
    tags,
    security: [{ 'x-api-key': parts.meta.permission ? [parts.meta.permission] : [] }],
    parameters: [...parameters, ...(isPost ? [idempotencyKey(parts.example.idempotencyKey ?? '')] : [])],
    ...(schema && { requestBody: describeBody(nameSchema(bodyName, cleanSchema(schema)), body) }),
    responses: describeResponses(parts, isPost),
  };
}

/** The name of an operation's body or answer in a generated client: `CreatePixChargeBody`. */
const clientName = (operationId = '', suffix: 'Body' | 'Answer') =>
  operationId.charAt(0).toUpperCase() + operationId.slice(1) + suffix;

/**
 * Heading and description of an operation: the document is Portuguese, the reference on /docs has
 * both languages.
 */
function textsOf(operationId: string | undefined): { summary: string; description: string } {
  const texts: Record<string, { summary: string; description: string }> = messages['pt-BR'].docs.operations;
  const found = operationId === undefined ? undefined : texts[operationId];
  if (!found) throw new Error(`The catalogue of texts has nothing of the operation ${operationId}.`);
  return found;
}

/** A list goes over the wire as one text with commas, which is what style and explode say. */
function describeParameter({ schema: generated, ...parameter }: Parameter, example: unknown): Parameter {
  const { description, ...schema } = withoutNull(cleanSchema(generated));
  const isList = schema.type === 'array';
  return {
    ...parameter,
    description,
    ...(isList && { style: 'form', explode: false }),
    schema,
    ...(example !== undefined && { example: isList ? String(example).split(',') : wireValue(schema, example) }),
  };
}

const wireValue = ({ type }: Schema, example: unknown) =>
  type === 'integer' || type === 'number' ? Number(example) : example;

const describeBody = (schema: Schema, example: object) => ({
  required: (schema.required ?? []).length > 0,
  content: { 'application/json': { schema, example } },
});

function describeResponses(parts: OperationParts, isPost: boolean): Operation['responses'] {
  const { rest } = parts.meta;
  const status = rest?.status ?? 200;
  const schema = nameSchema(clientName(parts.meta.openapi.operationId, 'Answer'), withWarningsMember(parts.answer));
  const content: Content = { 'application/json': { schema, example: parts.example.output } };
  const description = status === 201 ? 'Criado.' : 'Sucesso.';
  const codes = new Set<ApiErrorCode>([
    ...(rest?.errors ?? []),
    ...(parts.meta.permission ? (['permission_denied'] as const) : []),
    ...COMMON_ERRORS,
    ...(isPost ? POST_ERRORS : []),
  ]);
  const responses: Operation['responses'] = { [status]: { description, headers: headersOf(status, isPost), content } };
  for (const [errorStatus, group] of Map.groupBy(codes, (code) => ERROR_CATALOGUE[code].status)) {
    const bodies = group.map((code) => [code, errorExample(code, parts)] as const);
    responses[errorStatus] = {
      description: `${[...new Set(group.map((code) => ERROR_CATALOGUE[code].error))].join('; ')}.`,
      headers: headersOf(errorStatus, isPost),
      content: {
        'application/json': {
          schema: bodySchema(rest?.crypto !== undefined, group),
          examples: Object.fromEntries(bodies.map(([code, value]) => [code, { value }])),
        },
      },
    };
  }
  return responses;
}

/** A success can have warnings too; they are about the request, and not the procedure's. */
const withWarningsMember = (answer: Schema): Schema => ({
  ...answer,
  properties: {
    ...answer.properties,
    warnings: {
      type: 'array',
      description: WARNINGS_DESCRIPTION,
      items: { $ref: '#/components/schemas/Warning' },
    },
  },
});

/**
 * The body of the operation's family. KYC has the same body everywhere: on the crypto endpoints its
 * status can have either.
 */
function bodySchema(isCrypto: boolean, codes: readonly ApiErrorCode[]): Schema | { $ref: string } {
  const body = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  if (!isCrypto) return body('ErrorBody');
  return codes.some(isKyc) ? { anyOf: [body('ErrorBody'), body('CryptoErrorBody')] } : body('CryptoErrorBody');
}

const isKyc = (code: ApiErrorCode) => code === 'kyc_not_approved';

/**
 * The body an operation really gives for an error: through the code that writes it, with the issues
 * of an input that is rejected.
 */
export function errorExample(
  code: ApiErrorCode,
  { meta, example, inputSchema }: Pick<OperationParts, 'meta' | 'example' | 'inputSchema'>,
) {
  const { inputError, crypto } = meta.rest ?? {};
  const rejected = example.rejected?.[code];
  const input = { ...example.input, ...rejected };
  const parsed = rejected && inputSchema.safeParse(input);
  const thrown = parsed?.error
    ? new TRPCError({ code: 'BAD_REQUEST', cause: parsed.error })
    : new DomainError(code, {
        ...(example.details?.[code] && { details: example.details[code] }),
        extra: EXAMPLE_EXTRA[code] ?? {},
        params: example.params?.[code] ?? EXAMPLE_TEXT_PARAMS[code] ?? {},
      });
  return toRestError(thrown, { inputError, crypto }, { input, requestId: EXAMPLE_REQUEST_ID }).body;
}
