import { accountOf, prisma } from '../../../../../context.ts';

export const dynamic = 'force-dynamic';

export async function GET(request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  const { id } = await params;
  const accountId = await accountOf(prisma, request);
  if (!accountId) return Response.json({ success: false }, { status: 401 });
  const row = await prisma.transaction.findFirst({ where: { id, accountId, type: 'pix_in' } });
  if (!row) return Response.json({ success: false }, { status: 404 });
  const data = {
    transaction_id: row.id,
    external_id: row.endToEndId ?? row.id.replaceAll('-', ''),
    type: row.type,
    status: row.status,
    amount: Number(row.amountCentavos) / 100,
    amount_fees: Number(row.feeCentavos) / 100,
    created_at: row.createdAt.toISOString(),
    paid_at: row.paidAt?.toISOString() ?? null,
  };
  return Response.json({ success: true, data });
}
