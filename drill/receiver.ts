import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An event that arrived, once or more often. */
export type ReceivedEvent = { id: string; type: string; transactionId: string };

export type ReceiverTrouble = {
  answer(req: IncomingMessage, res: ServerResponse): void;
  /** Whether the answer says that the event arrived: it is noted then, and not sent again. */
  isSuccess?: boolean;
};

export type Receiver = {
  url: string;
  /** The events by the header `webhook-id`. */
  events: Map<string, ReceivedEvent>;
  /** Sets what answers in place of the receiver; null ends it. */
  misbehave(trouble: ReceiverTrouble | null): void;
  close(): Promise<void>;
};

/** Starts the server of all merchants, which notes what it is sent. */
export async function startReceiver(): Promise<Receiver> {
  const events = new Map<string, ReceivedEvent>();
  let trouble: ReceiverTrouble | null = null;
  const server = createServer(async (req, res) => {
    const inPlace = trouble;
    if (inPlace && !inPlace.isSuccess) return inPlace.answer(req, res);
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of req) chunks.push(chunk as Buffer);
    } catch {
      // Its sender was killed while it sent.
      return;
    }
    const id = String(req.headers['webhook-id']);
    const { type, data } = JSON.parse(Buffer.concat(chunks).toString()) as {
      type: string;
      data: { transaction_id: string };
    };
    events.set(id, { id, type, transactionId: data.transaction_id });
    if (inPlace) inPlace.answer(req, res);
    else res.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    events,
    misbehave(next) {
      trouble = next;
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}
