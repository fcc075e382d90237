import { generateOpenApiDocument } from 'trpc-openapi';
import { DomainError, ERROR_CATALOGUE, type ErrorCode } from '#domain/errors.ts';
import type { RestMeta } from '../procedures/procedure.ts';
import { restRouter } from '../procedures/rest-router.ts';
import { restError } from './errors.ts';

/** What every operation can answer besides its own errors. */
const COMMON_ERRORS: readonly ErrorCode[] = ['api_key_missing', 'api_key_invalid', 'unavailable', 'internal'];
const BODY_ERRORS: readonly ErrorCode[] = ['invalid_json', 'body_too_large', 'unsupported_media_type'];

type Operation = { responses: Record<string, unknown> };

/** The OpenAPI 3.1 document of the REST operations, with every error they can give and its real body. */
export function restDocument(publicUrl: string): object {
  const document = generateOpenApiDocument(restRouter, {
    title: 'Trilho',
    version: '2026-11-20',
    baseUrl: publicUrl,
    securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' } },
  });
  const paths = document.paths as unknown as Record<string, Record<string, Operation>>;
  for (const { _def } of Object.values(restRouter._def.procedures) as unknown as { _def: { meta?: RestMeta } }[]) {
    const { openapi, rest } = _def.meta ?? {};
    const operation = openapi && paths[openapi.path]?.[openapi.method.toLowerCase()];
    if (!openapi || !operation) continue;
    const codes = [...COMMON_ERRORS, ...(openapi.method === 'GET' ? [] : BODY_ERRORS), ...(rest?.errors ?? [])];
    operation.responses = { 200: operation.responses['200'], ...errorResponses(codes) };
  }
  for (const name of Object.keys(document.components?.schemas ?? {})) {
    if (name.startsWith('error.')) delete document.components?.schemas?.[name];
  }
  return document;
}

function errorResponses(codes: readonly ErrorCode[]): Record<string, unknown> {
  const responses: Record<string, unknown> = {};
  for (const [status, group] of Map.groupBy(codes, (code) => ERROR_CATALOGUE[code].status)) {
    const examples = group.map((code) => [code, { value: restError(new DomainError(code)).body }]);
    responses[status] = {
      description: group.map((code) => ERROR_CATALOGUE[code].error).join('; '),
      content: { 'application/json': { schema: ERROR_SCHEMA, examples: Object.fromEntries(examples) } },
    };
  }
  return responses;
}

const ERROR_SCHEMA = {
  type: 'object',
  required: ['success', 'error', 'message'],
  properties: {
    success: { type: 'boolean', const: false },
    error: { type: 'string' },
    message: { type: 'string' },
    details: {
      type: 'array',
      items: {
        type: 'object',
        required: ['field', 'message'],
        properties: { field: { type: 'string' }, message: { type: 'string' } },
      },
    },
  },
};
