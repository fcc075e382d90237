import type { Request } from 'autocannon';

/** An operation that is measured. Each sends the same requests to every side. */
export type Operation = {
  name: string;
  requests: readonly Request[];
  /** What each is answered with; 200 where it is absent. */
  status?: number;
};

/** Stands in a body for a text that no other request has. */
export const UNIQUE = '<unique>';

/** The share of the bare baseline's requests per second that the service should reach. */
export const RATIO_WANTED = 0.4;

export const OPERATION_NAMES = ['balance', 'status', 'charge creation'] as const;

export const balancePath = '/payments/balance';
export const chargePath = '/payments/transactions';
export const statusPath = (transactionId: string) => `/payments/transactions/${transactionId}/status?type=pix_in`;

/** A charge with every field that an ordinary shop sends. */
export const CHARGE_BODY = JSON.stringify({
  amount: 149.9,
  customerName: 'Ana Beatriz Souza',
  customerEmail: 'ana.souza@example.com',
  customerDocument: '12345678909',
  customerDocumentType: 'cpf',
  customerPhone: '11987654321',
  description: 'Pedido 4711: dois pares de sapatos',
});

/** `transactionIds`: charges of the key's account, whose status is asked for. */
export function operations(apiKey: string, transactionIds: readonly string[]): Operation[] {
  const [balance, status, creation] = OPERATION_NAMES;
  const headers = { 'x-api-key': apiKey };
  return [
    { name: balance, requests: [{ method: 'GET', path: balancePath, headers }] },
    { name: status, requests: transactionIds.map((id) => ({ method: 'GET', path: statusPath(id), headers })) },
    { name: creation, requests: [chargeRequest(apiKey)] },
  ];
}

/**
 * Joins operations into one load: each connection sends one request of each, again and again. An
 * operation with fewer requests than another begins again with its first.
 */
export function inTurns(name: string, mixed: readonly Operation[]): Operation {
  const longest = Math.max(...mixed.map(({ requests }) => requests.length));
  return {
    name,
    requests: Array.from({ length: longest }, (_, index) =>
      mixed.flatMap(({ requests }) => requests[index % requests.length] ?? []),
    ).flat(),
  };
}

export const chargeRequest = (apiKey: string): Request => ({
  method: 'POST',
  path: chargePath,
  headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
  body: CHARGE_BODY,
});
