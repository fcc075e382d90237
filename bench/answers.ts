/** The body of a charge in the bench, as a shop sends it. */
export type ChargeInput = {
  amount: number;
  customerName: string;
  customerEmail: string;
  customerDocument: string;
  customerDocumentType: 'cpf';
  customerPhone: string;
  description: string;
};

/** The address of the payment pages of the servers that the service is compared with. */
const PAYMENT_PAGES = 'http://localhost:3000/pay';

/**
 * The answers of the contract, as the servers that the service is compared with give them; those
 * servers differ in how they make them.
 */
export const chargeAnswer = (
  input: ChargeInput,
  { id, brCode, createdAt, expiresAt }: { id: string; brCode: string; createdAt: Date; expiresAt: Date },
) => ({
  success: true,
  message: 'Cobrança PIX criada com sucesso',
  data: {
    transaction_id: id,
    amount: input.amount,
    status: 'pending',
    payment_url: `${PAYMENT_PAGES}/${id}`,
    qr_code_svg_url: `${PAYMENT_PAGES}/${id}/qr.svg`,
    qr_code_png_url: `${PAYMENT_PAGES}/${id}/qr.png`,
    payment_data: {
      qr_code: brCode,
      pix_key: null,
      txid: id,
      expiration_date: expiresAt.toISOString(),
      reference_code: id,
    },
    customer: {
      name: input.customerName,
      email: input.customerEmail,
      document: input.customerDocument,
      document_type: input.customerDocumentType,
      phone: input.customerPhone,
    },
    split: null,
    description: input.description,
    callback_url: null,
    reference: null,
    metadata: null,
    created_at: createdAt.toISOString(),
  },
});

type StatusRow = {
  id: string;
  endToEndId: string | null;
  type: string;
  status: string;
  amountCentavos: bigint;
  feeCentavos: bigint;
  createdAt: Date;
  paidAt: Date | null;
};

export const statusAnswer = (row: StatusRow) => ({
  success: true,
  data: {
    transaction_id: row.id,
    external_id: row.endToEndId ?? row.id.replaceAll('-', ''),
    type: row.type,
    status: row.status,
    amount: Number(row.amountCentavos) / 100,
    amount_fees: Number(row.feeCentavos) / 100,
    created_at: row.createdAt.toISOString(),
    paid_at: row.paidAt?.toISOString() ?? null,
    reference: null,
    metadata: null,
  },
});

/** The request that creates a charge at the PSP. */
export const cobOf = (input: ChargeInput, { pixKey, expirySeconds }: { pixKey: string; expirySeconds: number }) => ({
  calendario: { expiracao: expirySeconds },
  devedor: { cpf: input.customerDocument, nome: input.customerName },
  valor: { original: input.amount.toFixed(2) },
  chave: pixKey,
  solicitacaoPagador: input.description,
});
