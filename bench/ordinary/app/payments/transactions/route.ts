import { z } from 'zod';
import { uuidv7 } from '#domain/values/uuid.ts';
import { chargeAnswer, cobOf } from '../../../../answers.ts';
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
  const cob = cobOf(input, { pixKey: PIX_KEY, expirySeconds: EXPIRY_SECONDS });
  const brCode = await createCob(id.replaceAll('-', ''), cob);
  await prisma.transaction.update({ where: { id }, data: { brCode } });
  return Response.json(chargeAnswer(input, { id, brCode, createdAt, expiresAt }));
}
