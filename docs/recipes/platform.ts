import { Trilho } from 'trilho-node';

const { TRILHO_URL = '', TRILHO_API_KEY = '' } = process.env;
/** The platform's own key: it charges, and may open accounts (accounts:write). */
const platform = new Trilho({ baseUrl: TRILHO_URL, apiKey: TRILHO_API_KEY });

/** Of each sale, before the fee, which the platform bears. */
const SELLER_PERCENT = 90;

export type Seller = { id: string; name: string; email: string; cnpj: string };
/** What you keep of a seller: the two secrets in a vault, they are shown this once. */
export type SellerAccount = { accountId: string; apiKey: string; webhookSecret: string };

/** Opens the account of a seller. */
export async function openSellerAccount(seller: Seller, keep: (account: SellerAccount) => Promise<void>) {
  const opened = await platform.accounts.create(
    { name: seller.name, email: seller.email, document: seller.cnpj, documentType: 'cnpj' },
    { idempotencyKey: `seller-${seller.id}` },
  );
  // A repeated request has null in their place: the first answer was lost. Let support make a key.
  const { account_id: accountId, api_key: apiKey, secret_key: webhookSecret } = opened;
  if (apiKey === null || webhookSecret === null) throw new Error(`The key of ${accountId} was shown before.`);
  await keep({ accountId, apiKey, webhookSecret });
}

/** Charges a buyer; when they pay, the seller's part goes to the seller's own balance at once. */
export async function sell(sale: { id: string; total: number; sellerAccountId: string }) {
  // In centavos, so that no third decimal comes of it; the platform gets what is left of a
  // division.
  const sellersCentavos = Math.floor((Math.round(sale.total * 100) * SELLER_PERCENT) / 100);
  const charge = await platform.charges.create(
    {
      amount: sale.total,
      description: `Venda ${sale.id}`,
      reference: sale.id,
      splitReceiverUserId: sale.sellerAccountId,
      splitAmount: sellersCentavos / 100,
    },
    { idempotencyKey: `sale-${sale.id}` },
  );
  return { chargeId: charge.transaction_id, paymentUrl: charge.payment_url, sellerGets: charge.split?.amount ?? 0 };
}

/** Gives a sale back. The platform pays it: ask the seller for their part, it is not taken back. */
export async function giveBack(chargeId: string, saleId: string) {
  return platform.charges.refund(chargeId, { reference: saleId }, { idempotencyKey: `refund-${saleId}` });
}

/** What a seller has sold, and has now, with the seller's own key. */
export async function showSeller(account: SellerAccount) {
  const seller = new Trilho({ baseUrl: TRILHO_URL, apiKey: account.apiKey });
  const { available_balance: available } = await seller.balance.get();
  const parts: number[] = [];
  for await (const { amount } of seller.transactions.list({ type: ['split_in'] })) parts.push(amount);
  return { available, parts };
}
