/** The URLs of callbacks: PUT, GET and DELETE /webhook/{chave} (API Pix 2.9.0, tag Webhook). */
import { z } from 'zod';
import { check, parseJson } from '../body.ts';
import { pixProblem, type Violation } from '../problems.ts';
import type { SandboxClient, SandboxOptions } from '../sandbox-options.ts';
import type { Reply } from '../sandbox-request.ts';

/** Longer than any URL in use; the standard has no limit of its own. */
const MAX_URL_LENGTH = 2048;

/**
 * The standard demands https; plain http is allowed here because the sandbox has no certificates of
 * its own.
 */
const webhookRequest = z.object({
  webhookUrl: z.url({ protocol: /^https?$/ }).max(MAX_URL_LENGTH),
});

/** PUT /webhook/{chave} {webhookUrl}: 200 without a body. Callbacks go to `{webhookUrl}/pix`. */
export async function putWebhook(
  options: SandboxOptions,
  client: SandboxClient,
  chave: string,
  bodyText: string,
): Promise<Reply> {
  const checked = check(webhookRequest, parseJson(bodyText), 'webhook');
  const violacoes: Violation[] = checked.ok ? [] : checked.violacoes;
  if (chave !== client.pixKey) {
    violacoes.push({
      razao: 'O parâmetro chave não corresponde a uma chave DICT pertencente a este usuário recebedor.',
      propriedade: 'chave',
      valor: chave,
    });
  }
  if (!checked.ok || violacoes.length > 0) throw pixProblem('WebhookOperacaoInvalida', { violacoes });
  await options.pool.query(
    `INSERT INTO sandbox.webhooks (chave, webhook_url, created_at) VALUES ($1, $2, $3)
     ON CONFLICT (chave) DO UPDATE SET webhook_url = excluded.webhook_url, created_at = excluded.created_at`,
    [chave, checked.value.webhookUrl, options.clock()],
  );
  return { status: 200 };
}

/**
 * GET /webhook/{chave} (schema WebhookCompleto). The schema has `cnpj` and the standard's own
 * example `chave`; the answer has both.
 */
export async function getWebhook(options: SandboxOptions, client: SandboxClient, chave: string): Promise<Reply> {
  requireOwnKey(client, chave);
  const { rows } = await options.pool.query<{ webhook_url: string; created_at: Date }>(
    'SELECT webhook_url, created_at FROM sandbox.webhooks WHERE chave = $1',
    [chave],
  );
  if (!rows[0]) throw pixProblem('WebhookNaoEncontrado');
  const { webhook_url: webhookUrl, created_at: createdAt } = rows[0];
  return { status: 200, body: { webhookUrl, chave, cnpj: client.document, criacao: createdAt.toISOString() } };
}

/** DELETE /webhook/{chave}: 204. */
export async function deleteWebhook(options: SandboxOptions, client: SandboxClient, chave: string): Promise<Reply> {
  requireOwnKey(client, chave);
  const { rowCount } = await options.pool.query('DELETE FROM sandbox.webhooks WHERE chave = $1', [chave]);
  if (rowCount === 0) throw pixProblem('WebhookNaoEncontrado');
  return { status: 204 };
}

function requireOwnKey(client: SandboxClient, chave: string): void {
  if (chave !== client.pixKey) throw pixProblem('WebhookNaoEncontrado');
}
