import { connect } from 'node:net';

export type RawHttpAnswer = { status: number; headers: Map<string, string>; text: string };

/** How long to wait for a server that neither answers nor closes, and for more after an answer. */
const SILENCE_MS = 30_000;
const MORE_MS = 150;

/**
 * Sends bytes as they are. Returns every answer that came until the server closed the connection or
 * sent no more; null: it neither answered nor closed in time.
 */
export async function sendBytes(serviceUrl: string, bytes: string | Buffer): Promise<RawHttpAnswer[] | null> {
  const socket = connect(Number(new URL(serviceUrl).port), '127.0.0.1');
  const chunks: Buffer[] = [];
  let timedOut = false;
  socket.setTimeout(SILENCE_MS, () => {
    timedOut = true;
    socket.destroy();
  });
  socket.on('data', (chunk) => {
    chunks.push(chunk);
    socket.setTimeout(MORE_MS);
  });
  await new Promise<void>((resolve) => {
    socket.on('close', () => resolve());
    socket.on('error', () => resolve());
    socket.write(bytes);
  });
  return timedOut && chunks.length === 0 ? null : answersIn(Buffer.concat(chunks));
}

function answersIn(bytes: Buffer): RawHttpAnswer[] {
  const answers: RawHttpAnswer[] = [];
  for (let rest = bytes; rest.length > 0; ) {
    const end = rest.indexOf('\r\n\r\n');
    const [statusLine = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n');
    const headers = new Map(lines.map((line) => line.toLowerCase().split(': ', 2) as [string, string]));
    const body = rest.subarray(end + 4);
    const length = Number(headers.get('content-length') ?? body.length);
    const status = Number(statusLine.split(' ')[1]);
    if (end < 0 || !Number.isInteger(status))
      return [...answers, { status: 0, headers, text: rest.toString('latin1') }];
    rest = status === 100 ? body : body.subarray(length);
    if (status !== 100) answers.push({ status, headers, text: body.subarray(0, length).toString('utf8') });
  }
  return answers;
}

export const lines = (...all: string[]): string => `${all.join('\r\n')}\r\n\r\n`;
