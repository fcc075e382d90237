import type { AnyRouter } from '@trpc/server';
import { isUuid } from '#domain/values/uuid.ts';
import type { ProcedureMeta } from '../procedures/procedure.ts';
import type { ErrorRules } from './errors.ts';
import { type OptionalNulls, optionalNullsOf } from './optional-nulls.ts';
import { optionalTextsOf } from './optional-texts.ts';
import { listParametersOf } from './read-query.ts';
import { type KnownFields, knownFieldsOf } from './unknown-fields.ts';

/** Both prefixes of the contract lead to the same operations. */
const PREFIXES = ['/api', ''] as const;
/** Where operations are; a path below these is answered in JSON, whatever it is. */
const ROOTS = ['/payments', '/accounts', '/account', '/events', '/webhook-endpoints', '/test-clock'] as const;

/**
 * The path of an operation without its prefix; null for one that is not the REST API's. Clients put
 * addresses together with a slash too many: several in a row are one, and one at the end is none.
 * Nothing else is read into a path: no dots, no other spelling.
 */
export function restPath(sent: string): string | null {
  const path = sent.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '');
  for (const prefix of PREFIXES) {
    for (const root of ROOTS) {
      const start = prefix + root;
      if (path.startsWith(start) && (path.length === start.length || path[start.length] === '/')) {
        return path.slice(prefix.length);
      }
    }
  }
  return null;
}

export type RestRoute = {
  method: string;
  /**
   * As declared: /payments/transactions/{transactionId}/status. The name of the route in logs and
   * metrics.
   */
  template: string;
  /** Where the procedure is in the router: ['charges', 'create']. */
  procedure: readonly [string, string];
  /** The status of success. */
  status: number;
  errors: ErrorRules;
  /** The fields in which an empty text means that there is none. */
  optionalTexts: ReadonlySet<string>;
  /** The fields in which a null means that there is none. */
  optionalNulls: OptionalNulls;
  /** The parameters of its query that are lists. */
  listParameters: ReadonlySet<string>;
  /** The fields of its body, or of its query where it has none; not those of its path. */
  knownFields: KnownFields;
  meta: ProcedureMeta;
  segments: readonly Segment[];
};

type Segment = { literal: string } | { parameter: string };

export type RouteMatch =
  | { found: 'route'; route: RestRoute; parameters: Record<string, string> }
  /** There are other methods; `errors` is how one of them words its errors. */
  | { found: 'path'; template: string; errors: ErrorRules; allow: string[] }
  | { found: 'nothing' };

/**
 * The REST operations, compiled once from trpc-openapi's metadata. Its own handler is not used: it
 * is slower than the rest of the request together, and changes the schemas it serves (it turns
 * their `coerce` on).
 */
export function compileRoutes(router: AnyRouter): { match(method: string, path: string): RouteMatch } {
  const procedures = router._def.procedures as unknown as Record<
    string,
    { _def: { meta?: ProcedureMeta; inputs: unknown[] } }
  >;
  const routes = Object.entries(procedures).flatMap(([name, { _def }]): RestRoute[] => {
    const openapi = _def.meta?.openapi;
    const [namespace, procedure] = name.split('.');
    if (!openapi || !namespace || !procedure) return [];
    const segments = segmentsOf(openapi.path);
    const { inputError, crypto, status = 200 } = _def.meta?.rest ?? {};
    const errors = { inputError, crypto };
    return [
      {
        method: openapi.method,
        template: openapi.path,
        procedure: [namespace, procedure],
        status,
        errors,
        optionalTexts: optionalTextsOf(_def.inputs[0]),
        optionalNulls: optionalNullsOf(_def.inputs[0]),
        listParameters: listParametersOf(_def.inputs[0]),
        knownFields: withoutParameters(knownFieldsOf(_def.inputs[0]) ?? {}, segments),
        meta: _def.meta ?? {},
        segments,
      },
    ];
  });
  // A literal goes before a parameter, so that no route shadows another whatever the order of
  // declaration.
  routes.sort((a, b) => parametersIn(a) - parametersIn(b));
  return { match: (method, path) => matchRoute(routes, method, path) };
}

function matchRoute(routes: readonly RestRoute[], method: string, path: string): RouteMatch {
  const parts = path.slice(1).split('/');
  // HEAD is a GET whose answer's body is not sent, which Node sees to.
  const wanted = method === 'HEAD' ? 'GET' : method;
  let other: RestRoute | undefined;
  const allow: string[] = [];
  for (const route of routes) {
    const parameters = matchSegments(route.segments, parts);
    if (!parameters) continue;
    if (route.method === wanted) return { found: 'route', route, parameters };
    other ??= route;
    allow.push(...(route.method === 'GET' ? ['GET', 'HEAD'] : [route.method]));
  }
  if (!other) return { found: 'nothing' };
  const { template, errors } = other;
  return { found: 'path', template, errors, allow };
}

function matchSegments(segments: readonly Segment[], parts: readonly string[]): Record<string, string> | null {
  if (segments.length !== parts.length) return null;
  const parameters: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const part = parts[index] ?? '';
    if ('literal' in segment) {
      if (segment.literal !== part) return null;
    } else {
      const decoded = decode(part);
      if (!decoded) return null;
      // One spelling of an id, so that an Idempotency-Key takes both for the same request.
      parameters[segment.parameter] = isUuid(decoded) ? decoded.toLowerCase() : decoded;
    }
  }
  return parameters;
}

/** Null for what is no UTF-8 in percent signs: such a path leads nowhere. */
function decode(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

const segmentsOf = (template: string): Segment[] =>
  template
    .slice(1)
    .split('/')
    .map((part) => (part.startsWith('{') ? { parameter: part.slice(1, -1) } : { literal: part }));

const withoutParameters = (fields: KnownFields, segments: readonly Segment[]): KnownFields => {
  const names = new Set(segments.flatMap((segment) => ('parameter' in segment ? [segment.parameter] : [])));
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.has(name)));
};

const parametersIn = (route: RestRoute) => route.segments.filter((segment) => 'parameter' in segment).length;
