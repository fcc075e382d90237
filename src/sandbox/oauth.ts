/**
 * OAuth2 client credentials (RFC 6749 section 4.4, the flow that API Pix demands). Tokens live in
 * this process only: after a restart they are unknown, and a client must cope with a 401 by asking
 * again.
 */

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { parseJson } from '#domain/values/parse-json.ts';
import { pixProblem, unauthorized } from './problems.ts';
import type { SandboxClient, SandboxOptions } from './sandbox-options.ts';
import type { Reply, SandboxRequest } from './sandbox-request.ts';

const TOKEN_LIFETIME_SECONDS = 3600;
/**
 * A client that asks for a token per request must not fill the memory; the oldest are dropped
 * first.
 */
const MAX_TOKENS = 10_000;
/**
 * The scopes of API Pix, then five of Efí ("Envio e Pagamento Pix", "Endpoints exclusivos Efí"),
 * and one of the sandbox. With them a client can ask for a token that receives and can't send.
 */
const SCOPES = [
  'cob.write',
  'cob.read',
  'pix.write',
  'pix.read',
  'webhook.write',
  'webhook.read',
  'pix.send',
  'gn.pix.send.read',
  'gn.infractions.read',
  'gn.infractions.write',
  'gn.balance.read',
  'key.read',
] as const;
export type Scope = (typeof SCOPES)[number];

type TokenEndpoint = {
  /** POST /oauth/token. Throws Problems: 400, 401. */
  issue(request: SandboxRequest): Promise<Reply>;
  /**
   * Returns the client of an `Authorization: Bearer` header. Throws a 401 Problem without a valid
   * token, 403 without the scope.
   */
  requireClient(request: SandboxRequest, scope: Scope): SandboxClient;
};

export function createTokenEndpoint({
  clients,
  merchants,
  clock,
}: Pick<SandboxOptions, 'clients' | 'merchants' | 'clock'>): TokenEndpoint {
  const issued = new Map<string, { client: SandboxClient; scopes: Scope[]; expiresAt: number }>();

  return {
    async issue(request) {
      const basic = readBasic(request.headers.authorization);
      const candidates = [...clients, ...(merchants?.clients(basic?.split(':', 1)[0] ?? '') ?? [])];
      const client = candidates.find(
        ({ clientId, clientSecret }) => basic !== null && sameSecret(basic, `${clientId}:${clientSecret}`),
      );
      if (!client) throw unauthorized('Basic', 'Credenciais inválidas.', { error: 'invalid_client' });
      const asked = grantRequest(await request.readBody(), request.headers['content-type'] ?? '');
      if (asked.grant_type !== 'client_credentials') {
        throw pixProblem('RequisicaoInvalida', {
          detail: 'O campo grant_type deve ser client_credentials.',
          extension: { error: 'unsupported_grant_type' },
        });
      }
      const scopes = grantedScopes(asked.scope);
      if (scopes.length === 0) {
        throw pixProblem('RequisicaoInvalida', {
          detail: 'Nenhum dos escopos pedidos existe.',
          extension: { error: 'invalid_scope' },
        });
      }

      const now = clock().getTime();
      for (const [token, { expiresAt }] of issued) {
        if (expiresAt > now && issued.size < MAX_TOKENS) break;
        issued.delete(token);
      }
      const token = randomBytes(32).toString('base64url');
      issued.set(token, { client, scopes, expiresAt: now + TOKEN_LIFETIME_SECONDS * 1000 });
      return {
        status: 200,
        body: {
          access_token: token,
          token_type: 'Bearer',
          expires_in: TOKEN_LIFETIME_SECONDS,
          scope: scopes.join(' '),
        },
      };
    },

    requireClient(request, scope) {
      const found = issued.get(bearerToken(request.headers.authorization) ?? '');
      if (!found || found.expiresAt <= clock().getTime())
        throw unauthorized('Bearer', 'Token ausente, desconhecido ou expirado.');
      if (!found.scopes.includes(scope)) {
        throw pixProblem('AcessoNegado', { extension: { error: 'insufficient_scope' } });
      }
      return found.client;
    },
  };
}

/** Returns the token of an `Authorization: Bearer` header, or null. */
export function bearerToken(authorization: string | undefined): string | null {
  return /^Bearer +([^\s]+)$/i.exec(authorization ?? '')?.[1] ?? null;
}

/** Compares two secrets in a time that depends on neither. */
export function sameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** `client:secret` of an `Authorization: Basic` header, or null. */
function readBasic(authorization: string | undefined): string | null {
  const encoded = /^Basic +([^\s]+)$/i.exec(authorization ?? '')?.[1];
  return encoded ? Buffer.from(encoded, 'base64').toString() : null;
}

/** Most PSPs accept the grant as a form, as RFC 6749 has it, and several as JSON. */
function grantRequest(body: string, contentType: string): { grant_type?: unknown; scope?: unknown } {
  if (!/json/i.test(contentType)) return Object.fromEntries(new URLSearchParams(body));
  return (parseJson(body) as object | null | undefined) ?? {};
}

/**
 * Returns the scopes that were asked for and exist (RFC 6749 section 3.3 lets a server grant less);
 * all scopes when none was asked for.
 */
function grantedScopes(asked: unknown): Scope[] {
  if (typeof asked !== 'string' || asked === '') return [...SCOPES];
  const wanted = asked.split(' ');
  return SCOPES.filter((scope) => wanted.includes(scope));
}
