import type { TestService } from './test-service.ts';

/** What an account has available and blocked, in reais, as the API says it. */
export async function balanceOf(
  trilho: Pick<TestService, 'get'>,
  apiKey: string,
): Promise<{ available: number | undefined; blocked: number | undefined }> {
  const { body } = await trilho.get('/payments/balance', apiKey);
  const { available_balance: available, blocked_balance: blocked } = body.data as Record<string, number>;
  return { available, blocked };
}
