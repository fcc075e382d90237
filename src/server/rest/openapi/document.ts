import { generateOpenApiDocument } from 'trpc-openapi';
import { z } from 'zod';
import { API_VERSION } from '#contract/api-version.ts';
import { cryptoErrorBody, errorBody } from '#contract/error-body.ts';
import { WEBHOOK_BODIES } from '#contract/webhooks/webhook-bodies.ts';
import type { Encoded } from '../../procedures/encoded.ts';
import type { ProcedureMeta } from '../../procedures/procedure.ts';
import { restRouter } from '../../procedures/rest-router.ts';
import { nameSchema, shareSchemas } from './document-components.ts';
import { HEADERS } from './document-headers.ts';
import {
  describeOperation,
  type GeneratedOperation,
  type Operation,
  type OperationMeta,
  type Response,
} from './document-operation.ts';
import { cleanSchema, type Schema } from './document-schemas.ts';
import { DESCRIPTION, SERVERS, TAGS } from './document-texts.ts';
import { WEBHOOK_HEADERS, webhookEvent, webhooks } from './document-webhooks.ts';
import { EXAMPLES } from './examples.ts';
import type { OperationExample } from './operation-example.ts';

export type OpenApiDocument = {
  openapi: string;
  info: { title: string; version: string; description: string };
  servers: readonly { url: string; description: string }[];
  tags: readonly { name: string; 'x-displayName': string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: ReturnType<typeof webhooks>;
  components: {
    securitySchemes: object;
    parameters: object;
    headers: object;
    responses: Record<string, Response>;
    schemas: Record<string, Schema>;
  };
};

/**
 * The OpenAPI 3.1 document of the REST operations: trpc-openapi's, made from the procedures, with
 * what it can't know: every status an operation can give with its real body, examples, headers, and
 * the events that go out. `npm run openapi` writes it into public/openapi.json, which every
 * installation serves.
 */
export function restDocument(): OpenApiDocument {
  const generated = generateOpenApiDocument(inputsOf(restRouter), {
    title: 'Trilho',
    version: API_VERSION,
    baseUrl: '/',
  });
  const generatedPaths = generated.paths as unknown as Record<string, Record<string, GeneratedOperation>>;
  const described: OpenApiDocument['paths'] = {};
  for (const { name, meta, inputSchema, outputSchema } of restProcedures()) {
    const { path, method } = meta.openapi;
    const verb = method.toLowerCase();
    const operation = generatedPaths[path]?.[verb];
    if (!operation) throw new Error(`trpc-openapi has nothing of ${name}.`);
    described[path] = {
      ...described[path],
      [verb]: describeOperation({
        meta,
        operation,
        example: exampleOf(name),
        inputSchema,
        answer: schemaOf(outputSchema),
      }),
    };
  }
  const bodies = [
    nameSchema('ErrorBody', schemaOf(errorBody)),
    nameSchema('CryptoErrorBody', schemaOf(cryptoErrorBody)),
    ...Object.entries(WEBHOOK_BODIES).map(([name, body]) => eventSchema(name, body)),
  ];
  const {
    part: { paths },
    schemas,
  } = shareSchemas({ paths: described, bodies });
  return {
    openapi: '3.1.0',
    info: { title: 'Trilho', version: API_VERSION, description: DESCRIPTION },
    servers: SERVERS,
    tags: TAGS,
    paths,
    webhooks: webhooks(),
    components: {
      securitySchemes: {
        'x-api-key': {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-key',
          description:
            'A chave de API da conta. Em security, cada operação diz a permissão que a chave precisa ter; sem nenhuma, serve qualquer chave.',
        },
      },
      parameters: { ...WEBHOOK_HEADERS },
      headers: HEADERS,
      responses: shareResponses(paths),
      schemas: { ...schemas, WebhookEvent: webhookEvent() },
    },
  };
}

type Procedures = Record<string, { _def: { meta?: ProcedureMeta; inputs: z.ZodType[]; output?: Encoded } }>;

/**
 * A router as trpc-openapi reads it, without what procedures answer: it would describe the values
 * that they return, not what these are encoded to.
 */
function inputsOf(router: typeof restRouter): typeof restRouter {
  const procedures = Object.entries(router._def.procedures as unknown as Procedures).map(([name, { _def }]) => [
    name,
    { _def: { ..._def, output: z.unknown() } },
  ]);
  return { _def: { procedures: Object.fromEntries(procedures) } } as unknown as typeof restRouter;
}

/** The procedures that are REST operations, by their name in the router (`charges.create`). */
export function restProcedures(): {
  name: string;
  meta: OperationMeta;
  inputSchema: z.ZodType;
  outputSchema: z.ZodType;
}[] {
  return Object.entries(restRouter._def.procedures as unknown as Procedures).map(([name, { _def }]) => {
    const [inputSchema] = _def.inputs;
    const { meta, output } = _def;
    if (!meta?.openapi || !inputSchema || !output) throw new Error(`${name} is no REST operation.`);
    return { name, meta: { ...meta, openapi: meta.openapi }, inputSchema, outputSchema: output.schema };
  });
}

/** Returns the example of a procedure, by its name in the router. Throws when it has none. */
export function exampleOf(name: string): OperationExample {
  const [namespace = '', procedure = ''] = name.split('.');
  const example = (EXAMPLES as Record<string, Record<string, OperationExample>>)[namespace]?.[procedure];
  if (!example) throw new Error(`${name} has no example.`);
  return example;
}

/** Puts the description of a codec last, as that of other schemas is. */
function describeLast({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodTypes;
  jsonSchema: z.core.JSONSchema.BaseSchema;
}): void {
  const { description } = jsonSchema;
  if (zodSchema._zod.def.type !== 'pipe' || description === undefined) return;
  delete jsonSchema.description;
  jsonSchema.description = description;
}

/** The schema of an answer as it goes over the wire: what its codecs encode to. */
export const schemaOf = (schema: z.ZodType): Schema => {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input', override: describeLast });
  return cleanSchema(rest as Schema);
};

/** An event's body, and what it says of its subject, each under a name. */
function eventSchema(name: string, body: z.ZodType): Schema {
  const schema = schemaOf(body);
  const { data } = schema.properties ?? {};
  if (!data) throw new Error(`${name} has no data.`);
  return nameSchema(name, { ...schema, properties: { ...schema.properties, data: nameSchema(`${name}Data`, data) } });
}

/**
 * Takes responses that several operations share out of the paths, by status and kind of body, and
 * returns them by name.
 */
function shareResponses(paths: OpenApiDocument['paths']): Record<string, Response> {
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  const uses = new Map<string, number>();
  for (const { responses } of operations)
    for (const response of Object.values(responses)) {
      const text = JSON.stringify(response);
      uses.set(text, (uses.get(text) ?? 0) + 1);
    }
  const shared: Record<string, Response> = {};
  for (const operation of operations)
    for (const [status, response] of Object.entries(operation.responses)) {
      const text = JSON.stringify(response);
      if ((uses.get(text) ?? 0) < 2) continue;
      const name = `${text.includes('CryptoErrorBody') ? 'CryptoError' : 'Error'}${status}`;
      shared[name] ??= response as Response;
      if (JSON.stringify(shared[name]) === text)
        operation.responses[status] = { $ref: `#/components/responses/${name}` };
    }
  return shared;
}
