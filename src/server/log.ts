import pino from 'pino';
import type { Log } from '#services/deps.ts';

/**
 * What may never stand in a log, wherever in a line it appears: the last net, below the rule that nothing of the kind is
 * handed to the log in the first place. Over the finished line, because secrets also hide in errors' texts.
 */
const SCRUBBED: readonly (readonly [RegExp, string])[] = [
  [/\btr_(live|test)_[A-Za-z0-9]+/g, 'tr_$1_[redacted]'],
  [/\bwhsec_[A-Za-z0-9+/=]+/g, 'whsec_[redacted]'],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]+/gi, '$1 [redacted]'],
  // User and password of an address.
  [/:\/\/[^\s/@"\\]+@/g, '://[redacted]@'],
  [/[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+/gu, '[e-mail]'],
  [/-----BEGIN [A-Z ]+-----[^-]*-----END [A-Z ]+-----/g, '[pem]'],
  // CPF, CNPJ (the alphanumeric one too) and phone numbers, bare or written out.
  [/\b\d{3}\.\d{3}\.\d{3}-\d{2}\b/g, '[document]'],
  [/\b[0-9A-Z]{2}\.[0-9A-Z]{3}\.[0-9A-Z]{3}\/[0-9A-Z]{4}-\d{2}\b/g, '[document]'],
  [/(?<![\w-])\+?\d{11,14}(?![\w-])/g, '[digits]'],
  [/(?<![\w-])(?=[0-9A-Z]*\d)[0-9A-Z]{12}\d{2}(?![\w-])/g, '[document]'],
];

/** Members that hold secrets whatever they look like. */
const REDACTED_MEMBERS = [
  'apiKey',
  'api_key',
  'password',
  'secret',
  'secretKey',
  'secret_key',
  'token',
  'authorization',
  'cookie',
  'document',
  'customerDocument',
  'email',
  'customerEmail',
  'phone',
  'customerPhone',
  '["x-api-key"]',
];

export const scrub = (line: string): string =>
  SCRUBBED.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), line);

/** JSON lines, one per event, to `destination` (standard error: standard output is for the program's answers). */
export function createLog(options: { level: string; destination?: pino.DestinationStream }): Log & { flush(): void } {
  const destination = options.destination ?? pino.destination({ fd: 2, sync: false });
  const log = pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: REDACTED_MEMBERS.flatMap((name) => [name, name.startsWith('[') ? `*${name}` : `*.${name}`]),
        censor: '[redacted]',
      },
      hooks: { streamWrite: scrub },
    },
    destination,
  );
  return Object.assign(log, {
    flush: () => 'flushSync' in destination && (destination as { flushSync(): void }).flushSync(),
  });
}
