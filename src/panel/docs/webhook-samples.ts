/**
 * Code that verifies a webhook by Standard Webhooks ("Verifying webhook authenticity"), with
 * nothing but each language's own library. The test beside it runs the Node sample against the
 * signatures that we send.
 */
export const VERIFY_WEBHOOK = {
  node: `import { createHmac, timingSafeEqual } from 'node:crypto';

const TOLERANCE_SECONDS = 5 * 60;

/** body: the request's exact text. Throws for a webhook that is not ours. */
export function verifyWebhook(secretKey, headers, body) {
  const id = headers['webhook-id'];
  const timestamp = headers['webhook-timestamp'];
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= TOLERANCE_SECONDS)) {
    throw new Error('too old or too new');
  }
  const key = Buffer.from(secretKey.replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', key).update(\`\${id}.\${timestamp}.\${body}\`).digest();
  const isOurs = String(headers['webhook-signature']).split(' ').some((text) => {
    const [version, signature = ''] = text.split(',');
    const given = Buffer.from(signature, 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (!isOurs) throw new Error('wrong signature');
  return JSON.parse(body);
}`,
  python: `import base64, hashlib, hmac, json, time

TOLERANCE_SECONDS = 5 * 60

def verify_webhook(secret_key, headers, body):
    """body: the request's exact bytes. Raises ValueError for a webhook that is not ours."""
    webhook_id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        raise ValueError("too old or too new")
    key = base64.b64decode(secret_key.removeprefix("whsec_"))
    signed = f"{webhook_id}.{timestamp}.".encode() + body
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    for text in headers.get("webhook-signature", "").split(" "):
        version, _, signature = text.partition(",")
        if version == "v1" and hmac.compare_digest(signature.encode(), expected):
            return json.loads(body)
    raise ValueError("wrong signature")`,
} as const;
