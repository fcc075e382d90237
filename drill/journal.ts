import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';

/** The type of a request, by what it makes. */
export type RequestKind = 'charge' | 'withdrawal' | 'crypto_withdrawal' | 'refund' | 'invoice';

/** Written before a request goes out. */
type Asked = { at: 'asked'; key: string; kind: RequestKind; accountId: string; centavos: number };
/**
 * Written when its answer arrives. `id`: what an acknowledged request made. `status` null: no
 * answer came, and the outcome is unknown.
 */
type Answered = { at: 'answered'; key: string; status: number | null; id: string | null };

/** What the load knows of one Idempotency-Key, over all of its requests. */
export type JournalEntry = {
  key: string;
  kind: RequestKind;
  accountId: string;
  centavos: number;
  requests: number;
  /** Every id that an acknowledgement named; more than one is a fault. */
  ids: string[];
  /** A 4xx that a repetition does not change. */
  isRejected: boolean;
};

/** Whether the outcome is unknown after an answer: the request is sent again with the same key. */
export const isUnknown = (status: number | null): boolean =>
  status === null || status >= 500 || status === 409 || status === 429 || status === 408;

export type Journal = {
  asked(request: Omit<Asked, 'at'>): void;
  answered(answer: Omit<Answered, 'at'>): void;
  /** Read back from the file. */
  read(): JournalEntry[];
};

/**
 * Opens a file with a line before and a line after every request, as Jepsen keeps one: what was
 * promised is known even if the process that asked was cut off.
 */
export function openJournal(file: string): Journal {
  writeFileSync(file, '');
  const write = (line: Asked | Answered) => appendFileSync(file, `${JSON.stringify(line)}\n`);
  return {
    asked: (request) => write({ at: 'asked', ...request }),
    answered: (answer) => write({ at: 'answered', ...answer }),
    read: () => readEntries(readFileSync(file, 'utf8')),
  };
}

/** The entries of a journal's text, one a key. */
export function readEntries(text: string): JournalEntry[] {
  const entries = new Map<string, JournalEntry>();
  for (const line of text.split('\n').filter(Boolean)) {
    const record = JSON.parse(line) as Asked | Answered;
    const entry = entries.get(record.key);
    if (record.at === 'asked') {
      const { key, kind, accountId, centavos } = record;
      if (entry) entry.requests++;
      else entries.set(key, { key, kind, accountId, centavos, requests: 1, ids: [], isRejected: false });
    } else if (entry) {
      const { id, status } = record;
      if (id !== null && !entry.ids.includes(id)) entry.ids.push(id);
      if (id === null && !isUnknown(status)) entry.isRejected = true;
    }
  }
  return [...entries.values()];
}
