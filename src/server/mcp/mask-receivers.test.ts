import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Encoded } from '../procedures/encoded.ts';
import { mcpRouter } from '../procedures/mcp-router.ts';
import { maskReceivers, RECEIVER_FIELDS } from './mask-receivers.ts';
import { createTools } from './tools.ts';

/** Addresses that are there to be opened. */
const PAGES = ['confirm_url', 'payment_url', 'qr_code_png_url', 'qr_code_svg_url'];

test('an assistant gets the host of a webhook, and nothing of its address that may be a secret', () => {
  const masked = maskReceivers({
    data: [
      { deliveries: [{ url: 'https://hooks.example.com/T0/secret' }, { url: null }] },
      {
        webhooks: [
          { url: 'https://erp.example.com?token=secret' },
          { url: 'https://user:secret@erp.example.com:8443/' },
        ],
      },
      { callback_url: 'https://shop.example.com#secret', payment_url: 'https://pay.example.com/pay/1' },
      { webhooks: [{ url: 'https://shop.example.com/' }, { url: 'no address, but secret' }] },
    ],
  });
  expect(JSON.stringify(masked)).not.toContain('secret');
  expect(masked).toEqual({
    data: [
      { deliveries: [{ url: 'https://hooks.example.com/…' }, { url: null }] },
      { webhooks: [{ url: 'https://erp.example.com/…' }, { url: 'https://erp.example.com:8443/…' }] },
      { callback_url: 'https://shop.example.com/…', payment_url: 'https://pay.example.com/pay/1' },
      { webhooks: [{ url: 'https://shop.example.com' }, { url: '…' }] },
    ],
  });
});

test('metadata is the merchant’s own, also where it has a field of that name', () => {
  const own = { data: { metadata: { url: 'https://shop.example.com/orders/1' } } };
  expect(maskReceivers(own)).toEqual(own);
});

test('every address in a result of a tool is masked or there to be opened', () => {
  const procedures = mcpRouter._def.procedures as unknown as Record<string, { _def: { output?: Encoded } }>;
  const seen = new Set<string>();
  for (const { operation } of createTools()) {
    const output = procedures[operation.procedure.join('.')]?._def.output;
    const schema = JSON.stringify(output ? z.toJSONSchema(output.schema, { io: 'input' }) : {});
    for (const [, field = ''] of schema.matchAll(/"(\w*(?:url|uri|address|endpoint)\w*)":\{/gi)) seen.add(field);
  }
  expect([...seen].sort(), 'Mask a new address in mask-receivers.ts, or list it as a page').toEqual(
    [...RECEIVER_FIELDS, ...PAGES, 'endpoint_id'].sort(),
  );
});
