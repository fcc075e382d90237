import type { TestService } from './test-service.ts';
import { transactionIdOf } from './transaction-id-of.ts';

type Service = Pick<TestService, 'get' | 'post' | 'pay' | 'until'>;

/** Makes a charge, and pays it as below. Returns its id. */
export async function makePaidCharge(trilho: Service, apiKey: string, charge: object): Promise<string> {
  const id = transactionIdOf(await trilho.post('/payments/transactions', apiKey, charge));
  await payCharge(trilho, apiKey, id);
  return id;
}

/** Pays a charge at the sandbox PSP, and waits until it is paid. Returns what the sandbox says. */
export async function payCharge(trilho: Service, apiKey: string, id: string): Promise<Record<string, unknown>> {
  const paid = await trilho.pay(id);
  await trilho.until(`the charge ${id} is paid`, async () => {
    const { body } = await trilho.get(`/payments/transactions/${id}`, apiKey);
    return (body.data as { status: string }).status === 'paid' || null;
  });
  return paid;
}
