import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { generateWebhookSecret, signWebhook } from '#domain/webhooks/webhook-signature.ts';
import { VERIFY_WEBHOOK } from './webhook-samples.ts';

test('the Node sample verifies what we sign, and nothing else', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trilho-sample-'));
  try {
    const file = join(folder, 'sample.mjs');
    writeFileSync(file, VERIFY_WEBHOOK.node);
    const { verifyWebhook } = await import(/* @vite-ignore */ file);
    const secret = generateWebhookSecret();
    const body = '{"id":"evt_1","type":"pix_in.paid"}';
    const signedAt = (seconds: number) => ({
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(seconds),
      'webhook-signature': signWebhook(secret, 'evt_1', seconds, body),
    });
    const now = Math.floor(Date.now() / 1000);
    expect(verifyWebhook(secret, signedAt(now), body)).toEqual(JSON.parse(body));
    expect(() => verifyWebhook(secret, signedAt(now), `${body} `)).toThrow('wrong signature');
    expect(() => verifyWebhook(generateWebhookSecret(), signedAt(now), body)).toThrow('wrong signature');
    expect(() => verifyWebhook(secret, signedAt(now - 3_600), body)).toThrow('too old');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
