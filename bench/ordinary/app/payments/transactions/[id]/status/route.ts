import { statusAnswer } from '../../../../../../answers.ts';
import { accountOf, prisma } from '../../../../../context.ts';

export const dynamic = 'force-dynamic';

export async function GET(request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  const { id } = await params;
  const accountId = await accountOf(prisma, request);
  if (!accountId) return Response.json({ success: false }, { status: 401 });
  const row = await prisma.transaction.findFirst({ where: { id, accountId, type: 'pix_in' } });
  if (!row) return Response.json({ success: false }, { status: 404 });
  return Response.json(statusAnswer(row));
}
