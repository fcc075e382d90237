import { z } from 'zod';
import { uuidv7 } from '#domain/values/uuid.ts';
import { accountOf, createCob, EXPIRY_SECONDS, PIX_KEY, prisma } from '../../../context.ts';

export const dynamic = 'force-dynamic';

/** When the worker would check a charge for the first time. */
const CHECK_AFTER_MS = 30_000;

const chargeInput = z.object({
  amount: z.number().positive(),
  customerName: z.string(),
  customerEmail: z.email(),
  customerDocument: z.string().length(11),
  customerDocumentType: z.literal('cpf'),
  customerPhone: z.string(),
  description: z.string(),
});

export async function POST(request: Request): Promise<Response> {
  const parsed = chargeInput.safeParse(await request.json());
  if (!parsed.success) return Response.json({ success: false }, { status: 400 });
  const input = parsed.data;
  const createdAt = new Date();
  const id = uuidv7(createdAt);
  const expiresAt = new Date(createdAt.getTime() + EXPIRY_SECONDS * 1000);
  const amountCentavos = BigInt(Math.round(input.amount * 100));
  const accountId = await prisma.$transaction(async (tx) => {
    const account = await accountOf(tx, request);
    if (!account) return null;
    await tx.transaction.create({
      data: {
        id,
        accountId: account,
        type: 'pix_in',
        status: 'pending',
        amountCentavos,
        feeCentavos: 0n,
        netCentavos: amountCentavos,
        description: input.description,
        customerName: input.customerName,
        customerEmail: input.customerEmail,
        customerPhone: input.customerPhone,
        customerDocument: input.customerDocument,
        customerDocumentType: input.customerDocumentType,
        rail: 'sandbox',
        createdAt,
        updatedAt: createdAt,
        expiresAt,
      },
    });
    const dueAt = new Date(createdAt.getTime() + CHECK_AFTER_MS);
    await tx.task.create({ data: { kind: 'sync_charge', subjectId: id, dueAt } });
    return account;
  });
  if (!accountId) return Response.json({ success: false }, { status: 401 });
  const brCode = await createCob(id.replaceAll('-', ''), {
    calendario: { expiracao: EXPIRY_SECONDS },
    devedor: { cpf: input.customerDocument, nome: input.customerName },
    valor: { original: input.amount.toFixed(2) },
    chave: PIX_KEY,
    solicitacaoPagador: input.description,
  });
  await prisma.transaction.update({ where: { id }, data: { brCode } });
  return Response.json({
    success: true,
    message: 'Cobrança PIX criada com sucesso',
    data: {
      transaction_id: id,
      amount: input.amount,
      status: 'pending',
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
      description: input.description,
      callback_url: null,
      created_at: createdAt.toISOString(),
    },
  });
}
