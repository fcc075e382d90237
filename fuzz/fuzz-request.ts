import { Agent, request } from 'node:http';
import type { RawAnswer } from '../attack/answers.ts';

/**
 * How a request differs from a valid one: not at all, in one field (so that the code behind the
 * first checks is reached), in several, or in what carries it: method, address, headers, bytes.
 */
export type FuzzKind = 'valid' | 'one field' | 'many fields' | 'transport';

export type FuzzRequest = {
  kind: FuzzKind;
  method: string;
  /** Path and query as they are sent. */
  target: string;
  headers: Record<string, string>;
  body: string | null;
  /** `latin1`: the body's characters are its bytes. */
  encoding?: 'latin1';
  /** How many bytes of the body are promised and never sent. */
  missingBytes?: number;
  /** It asks for a stream: its first message is the answer. */
  isStream?: boolean;
};

/** Far longer than any answer here takes: reaching it is a failure. */
const ANSWER_MS_MAX = 20_000;
/** An answer to a connection that was closed on purpose arrives within this time or not at all. */
const CUT_MS_MAX = 2_000;

/** Keeps connections open: ten thousand new ones would test the operating system. */
export const createSender = (serviceUrl: string) => {
  const { port } = new URL(serviceUrl);
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  return {
    /**
     * Resolves to the answer, or to null where none came, which only a request that was cut off may
     * have. Rejects when another one gets no answer in time.
     */
    send: (of: FuzzRequest): Promise<RawAnswer | null> =>
      new Promise((resolve, reject) => {
        const bytes = of.body === null ? null : Buffer.from(of.body, of.encoding ?? 'utf8');
        const missing = of.missingBytes ?? 0;
        const req = request({
          host: '127.0.0.1',
          port,
          method: of.method,
          path: of.target,
          headers: { ...of.headers, ...(bytes && { 'content-length': String(bytes.length + missing) }) },
          agent: missing > 0 ? new Agent() : agent,
        });
        const fail = (error: Error) => (missing > 0 ? resolve(null) : reject(error));
        req.setTimeout(missing > 0 ? CUT_MS_MAX : ANSWER_MS_MAX, () =>
          req.destroy(new Error(`no answer within ${ANSWER_MS_MAX / 1000} s`)),
        );
        req.on('error', fail);
        req.on('response', (res) => {
          const chunks: Buffer[] = [];
          const finish = () => {
            const headers = new Headers();
            for (const [name, value] of Object.entries(res.headers)) headers.set(name, String(value));
            resolve({ status: res.statusCode ?? 0, headers, text: Buffer.concat(chunks).toString('utf8') });
          };
          res.on('data', (chunk: Buffer) => {
            chunks.push(chunk);
            if (!of.isStream) return;
            finish();
            req.destroy();
          });
          res.on('end', finish);
          res.on('error', fail);
        });
        if (missing === 0) req.end(bytes ?? undefined);
        else req.write(bytes ?? '', () => req.socket?.end());
      }),
    close: () => agent.destroy(),
  };
};

/**
 * Returns enough of a request to send it again by hand, without the keys of a service that is gone.
 */
export function describeRequest({ kind, method, target, headers, body, missingBytes }: FuzzRequest): string {
  const shown = (text: string, max: number) =>
    text.length > max ? `${text.slice(0, max)}… (${text.length} characters)` : text;
  const lines = Object.entries(headers).filter(([name]) => name !== 'cookie' && name !== 'x-api-key');
  return [
    `${method} ${shown(target, 1_000)} (${kind}${missingBytes ? `, ${missingBytes} bytes never sent` : ''})`,
    ...lines.map(([name, value]) => `${name}: ${shown(value, 200)}`),
    ...(body === null ? [] : [shown(JSON.stringify(body), 1_500)]),
  ].join('\n       ');
}
