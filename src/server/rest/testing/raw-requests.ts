import { connect } from 'node:net';
import { expect } from 'vitest';
import type { TestService } from '../../../testing/test-service.ts';

export type RawAnswer = {
  status: number;
  headers: Record<string, string>;
  text: string;
  body: Record<string, unknown>;
};

/** Checks what holds for every answer: JSON, with its id, and without any of our internals. */
export function plain(answer: RawAnswer): RawAnswer {
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(answer.headers['x-content-type-options']).toBe('nosniff');
  expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  expect(answer.text).not.toMatch(/<html|<!doctype|\bat \S+ \(|node_modules|\.ts:\d|SELECT|INSERT|relation "|ECONN/i);
  if (answer.status >= 400) expect(answer.body).toMatchObject({ success: false, error: expect.any(String) });
  expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
  return answer;
}

function answersIn(text: string): RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let rest = text; rest !== ''; ) {
    const end = rest.indexOf('\r\n\r\n');
    const [statusLine = '', ...lines] = rest.slice(0, end).split('\r\n');
    expect(statusLine).toMatch(/^HTTP\/1\.1 \d{3}/);
    const status = Number(statusLine.split(' ')[1]);
    const headers = Object.fromEntries(lines.map((line) => line.toLowerCase().split(': ', 2)));
    if (status === 100) {
      rest = rest.slice(end + 4);
      continue;
    }
    const bytes = Buffer.from(rest.slice(end + 4));
    const length = headers['content-length'] === undefined ? bytes.length : Number(headers['content-length']);
    const body = bytes.subarray(0, length).toString('utf8');
    answers.push({ status, headers, text: body, body: body === '' ? {} : JSON.parse(body) });
    rest = bytes.subarray(length).toString('utf8');
  }
  return answers;
}

/** A request's lines as they go over the wire. */
export const lines = (...all: string[]) => `${all.join('\r\n')}\r\n\r\n`;

export const JSON_TYPE = 'content-type: application/json';

/** Requests as bytes; `target` returns the service and the API key when they are used. */
export function rawRequests(target: () => { service: TestService; apiKey: string }) {
  return {
    get: (path: string, ...headers: string[]) =>
      lines(`GET ${path} HTTP/1.1`, 'host: x', 'connection: close', `x-api-key: ${target().apiKey}`, ...headers),
    post: (body: string, ...headers: string[]) =>
      lines('POST /payments/transactions HTTP/1.1', 'host: x', `x-api-key: ${target().apiKey}`, ...headers) + body,
    /** Sends them, and returns every answer that came until the server closed the connection. */
    async raw(...parts: (string | Buffer)[]): Promise<RawAnswer[]> {
      const socket = connect(Number(new URL(target().service.url).port), '127.0.0.1');
      const chunks: Buffer[] = [];
      socket.on('data', (chunk) => chunks.push(chunk));
      const closed = new Promise<void>((resolve) => {
        socket.on('close', () => resolve());
        socket.on('error', () => resolve());
      });
      for (const part of parts) socket.write(part);
      await closed;
      socket.destroy();
      return answersIn(Buffer.concat(chunks).toString('utf8')).map(plain);
    },
  };
}
