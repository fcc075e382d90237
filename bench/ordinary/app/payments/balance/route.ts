import { accountOf, prisma } from '../../../context.ts';

export const dynamic = 'force-dynamic';

export async function GET(request: Request): Promise<Response> {
  const accountId = await accountOf(prisma, request);
  if (!accountId) return Response.json({ success: false }, { status: 401 });
  const accounts = await prisma.ledgerAccount.findMany({ where: { accountId } });
  const reais = (kind: string) => Number(accounts.find((one) => one.kind === kind)?.balanceCentavos ?? 0) / 100;
  const data = {
    available_balance: reais('available'),
    pending_balance: reais('pending'),
    blocked_balance: reais('blocked'),
  };
  return Response.json({ success: true, data });
}
