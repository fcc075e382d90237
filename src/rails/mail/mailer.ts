import { randomBytes } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Transporter } from 'nodemailer';

/** A plain text message to one person. */
export type Message = { to: string; subject: string; text: string };

export type Mailer = {
  /**
   * `smtp`: sent by a mail server; `folder`: not sent, but written to files that the operator can
   * read.
   */
  kind: 'smtp' | 'folder';
  /**
   * Resolves once the mail server has accepted the message, or its file is written. Rejects when
   * that failed: send it again later.
   */
  send(message: Message, now: Date): Promise<void>;
  close(): void;
};

/**
 * Limits each step, so that a mail server which does not answer does not hold a worker's slot for
 * minutes.
 */
const SMTP_TIMEOUT_MS = 15_000;

/**
 * Sends by a mail server. `url`: smtp://user:password@host:587 or smtps://…:465. STARTTLS is
 * required where the connection is not TLS from its start, except on this machine.
 */
export function createSmtpMailer(url: string, from: string): Mailer {
  const { hostname, protocol } = new URL(url);
  const isLocal = hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
  const options = {
    url,
    requireTLS: protocol === 'smtp:' && !isLocal,
    connectionTimeout: SMTP_TIMEOUT_MS,
    greetingTimeout: SMTP_TIMEOUT_MS,
    socketTimeout: SMTP_TIMEOUT_MS,
    // A message is text that we wrote: nothing in it is a file or an address to be fetched.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  // The library is loaded for the first message: a process that sends none starts without it.
  let opening: Promise<Transporter> | undefined;
  return {
    kind: 'smtp',
    async send(message) {
      opening ??= import('nodemailer').then(({ createTransport }) => createTransport(options, { from }));
      await (await opening).sendMail(message);
    },
    close() {
      void opening?.then((transport) => transport.close());
    },
  };
}

/** Writes each message into a file of `folder` (mode 600: it may hold a link that signs in). */
export function createFolderMailer(folder: string, from: string): Mailer {
  return {
    kind: 'folder',
    async send({ to, subject, text }, now) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const stamp = now.toISOString().replace(/[:.]/g, '-');
      const file = join(folder, `${stamp}-${randomBytes(4).toString('hex')}.eml`);
      const headers = [
        `Date: ${now.toUTCString()}`,
        `From: ${from}`,
        `To: ${oneLine(to)}`,
        `Subject: ${oneLine(subject)}`,
      ];
      // Written under another name first, so that a reader gets a complete file.
      await writeFile(`${file}.part`, `${headers.join('\n')}\n\n${text}\n`, { mode: 0o600 });
      await rename(`${file}.part`, file);
    },
    close: () => {},
  };
}

const oneLine = (text: string) => text.replace(/[\r\n]+/g, ' ');
