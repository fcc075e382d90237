import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { createFolderMailer, createSmtpMailer } from './mailer.ts';

const NOW = new Date('2026-11-20T17:05:09.000Z');
const MESSAGE = {
  to: 'maria@example.com',
  subject: 'Confirme seu e-mail',
  text: 'Olá, Maria.\n\nhttps://pay.example/x',
};

const undo: (() => void)[] = [];
afterEach(() => {
  for (const step of undo.splice(0)) step();
});

describe('without a mail server', () => {
  test('a message is a file that only its owner reads, whole as soon as it is there', async () => {
    const folder = join(mkdtempSync(join(tmpdir(), 'trilho-mail-')), 'mail');
    undo.push(() => rmSync(folder, { recursive: true }));
    await createFolderMailer(folder, 'Trilho <trilho@localhost>').send(MESSAGE, NOW);
    const [name = ''] = readdirSync(folder);
    expect(name).toMatch(/^2026-11-20T17-05-09-000Z-[0-9a-f]{8}\.eml$/);
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(folder, name), 'utf8')).toBe(
      `Date: Fri, 20 Nov 2026 17:05:09 GMT\nFrom: Trilho <trilho@localhost>\nTo: maria@example.com\nSubject: Confirme seu e-mail\n\n${MESSAGE.text}\n`,
    );
  });

  test('typed text adds no header', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'trilho-mail-'));
    undo.push(() => rmSync(folder, { recursive: true }));
    const to = 'a@example.com\r\nBcc: b@example.com';
    await createFolderMailer(folder, 'Trilho <trilho@localhost>').send({ ...MESSAGE, to }, NOW);
    expect(readFileSync(join(folder, readdirSync(folder)[0] ?? ''), 'utf8')).not.toMatch(/^Bcc:/m);
  });
});

describe('with a mail server', () => {
  test('a message reaches it, from whom the installation says, to one recipient', async () => {
    const { url, heard } = await mailServer(() => '250 OK');
    const mailer = createSmtpMailer(url, 'Trilho <pagamentos@loja.example>');
    undo.push(() => mailer.close());
    await mailer.send({ ...MESSAGE, to: 'maria@example.com' }, NOW);
    expect(heard()).toContain('MAIL FROM:<pagamentos@loja.example>');
    expect(heard().match(/RCPT TO:<[^>]*>/g)).toEqual(['RCPT TO:<maria@example.com>']);
    expect(heard()).toContain('https://pay.example/x');
    expect(heard()).toContain('Subject: Confirme seu e-mail');
  });

  // ASVS 1.3.11
  test('typed text adds no header and no recipient', async () => {
    const { url, heard } = await mailServer(() => '250 OK');
    const mailer = createSmtpMailer(url, 'Trilho <pagamentos@loja.example>');
    undo.push(() => mailer.close());
    const typed = '\r\nBcc: bia@example.com\r\n\r\nhttps://evil.example';
    await mailer.send({ ...MESSAGE, subject: `Olá${typed}` }, NOW);
    await mailer.send({ ...MESSAGE, to: `maria@example.com${typed}` }, NOW).catch(() => {});
    const [headers = ''] = heard().split('\r\n\r\n');
    expect(headers).not.toMatch(/^Bcc:/im);
    expect(heard()).not.toMatch(/RCPT TO:<bia@/i);
  });

  test('a message that it does not accept is rejected, so that the caller can try again', async () => {
    const { url } = await mailServer((line) => (line.startsWith('RCPT') ? '450 4.2.1 Mailbox busy' : '250 OK'));
    const mailer = createSmtpMailer(url, 'Trilho <pagamentos@loja.example>');
    undo.push(() => mailer.close());
    await expect(mailer.send(MESSAGE, NOW)).rejects.toThrow();
  });

  test('a server elsewhere that offers no TLS gets neither the password nor the message', async () => {
    // 127.0.0.2 is this machine, but not one of the local names that need no TLS.
    const { url, heard } = await mailServer((line) => (line === 'STARTTLS' ? '502 Not here' : '250 OK'));
    const elsewhere = url.replace('127.0.0.1', '127.0.0.2').replace('smtp://', 'smtp://user:secret@');
    const mailer = createSmtpMailer(elsewhere, 'Trilho <pagamentos@loja.example>');
    undo.push(() => mailer.close());
    await expect(mailer.send(MESSAGE, NOW)).rejects.toThrow();
    expect(heard()).not.toMatch(/AUTH|MAIL FROM|pay\.example/);
  });
});

/** Speaks as much SMTP (RFC 5321) as a client needs; `answer` returns its reply to each command. */
async function mailServer(answer: (line: string) => string): Promise<{ url: string; heard: () => string }> {
  let heard = '';
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let inData = false;
    let rest = '';
    socket.on('error', () => {});
    socket.write('220 test ESMTP\r\n');
    socket.on('data', (chunk) => {
      heard += chunk.toString();
      rest += chunk.toString();
      for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
        const line = rest.slice(0, end);
        rest = rest.slice(end + 2);
        if (inData) {
          if (line !== '.') continue;
          inData = false;
          socket.write('250 OK\r\n');
        } else if (line === 'DATA') {
          inData = true;
          socket.write('354 Go on\r\n');
        } else if (line === 'QUIT') socket.end('221 Bye\r\n');
        else socket.write(`${answer(line)}\r\n`);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  undo.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  return { url: `smtp://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`, heard: () => heard };
}
