import { Trilho, verifyWebhook, type WebhookEvent, WebhookVerificationError } from 'trilho-node';

const { TRILHO_URL = '', TRILHO_API_KEY = '', TRILHO_WEBHOOK_SECRETS = '' } = process.env;
const trilho = new Trilho({ baseUrl: TRILHO_URL, apiKey: TRILHO_API_KEY });

export type Order = {
  id: string;
  /** Reais. */
  total: number;
  buyer: { name: string; cpf: string };
  /** The charge that paid it. */
  paidBy: string | null;
  /** How often the buyer has asked to pay: each gets a charge of its own. */
  attempt: number;
};

/** Stands for a table of your database. */
export const orders = new Map<string, Order>();

/** The buyer pays by PIX: gives the page to send them to. A double click makes one charge. */
export async function checkout(order: Order, webhookUrl: string): Promise<string> {
  const charge = await trilho.charges.create(
    {
      amount: order.total,
      customerName: order.buyer.name,
      customerDocument: order.buyer.cpf,
      customerDocumentType: 'cpf',
      description: `Pedido ${order.id}`,
      reference: order.id,
      expiresIn: 30 * 60,
      callbackUrl: webhookUrl,
    },
    { idempotencyKey: `order-${order.id}-${order.attempt}` },
  );
  return charge.payment_url;
}

/** The route behind `webhookUrl`. An answer of 5xx, or none, has the event sent again. */
export async function receiveWebhook(request: Request): Promise<Response> {
  try {
    await handle(await verifyWebhook(await request.text(), request.headers, TRILHO_WEBHOOK_SECRETS.split(' ')));
    return new Response(null, { status: 204 });
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return new Response(null, { status: 400 });
  }
}

/** May be called with one event more than once, also after a crash in its middle. */
async function handle(event: WebhookEvent): Promise<void> {
  if (event.type !== 'pix_in.paid') return;
  const { reference, transaction_id: charge } = event.data;
  const order = orders.get(reference ?? '');
  if (!order) return;
  // In a database one statement does this, so that two events at once can't both.
  order.paidBy ??= charge;
  if (order.paidBy === charge) return;
  // Two charges of one order were paid: the second goes back.
  await trilho.charges.refund(charge, { reference: order.id }, { idempotencyKey: `refund-${charge}` });
}
