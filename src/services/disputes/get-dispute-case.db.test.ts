import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ProofFile } from '#domain/ledger/verify-proof.ts';
import { disputedCharge } from '#testing/disputed-charge.ts';
import { sealFully } from '#testing/seal-fully.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';
import { openProof } from '../ledger/open-proof.ts';
import { getDisputeCase } from './get-dispute-case.ts';

const DAY_MS = 86_400_000;

/** The service's clock is moved by the test. */
let aheadMs = 0;
let trilho: TestService;
beforeAll(async () => {
  trilho = await startTestService({ clock: () => new Date(Date.now() + aheadMs) });
});
afterAll(() => trilho.stop());

test("a case names its payment's entry as the account's proof file has it, once the day is closed", async () => {
  const { accountId, apiKey } = await trilho.openAccount();
  const charges: Awaited<ReturnType<typeof disputedCharge>>[] = [];
  for (const amount of [10, 20, 30]) charges.push(await disputedCharge(trilho, apiKey, amount));
  const proofs = () =>
    Promise.all(charges.map(async ({ disputeId }) => (await getDisputeCase(trilho.deps, accountId, disputeId)).proof));
  await sealFully(trilho.deps);
  expect(await proofs()).toEqual([null, null, null]);

  aheadMs += DAY_MS;
  await sealFully(trilho.deps);
  const file = await openProof(trilho.deps, accountId);
  let text = '';
  for await (const piece of file?.pieces() ?? []) text += piece;
  const { entries } = JSON.parse(text) as ProofFile;
  const found = await proofs();
  expect(found.map((proof) => proof?.amountCentavos)).toEqual([1_000n, 2_000n, 3_000n]);
  for (const [index, { chargeId }] of charges.entries()) {
    const inFile = entries.find(
      ({ kind, amount, transaction }) => kind === 'available' && amount > 0 && transaction === chargeId,
    );
    expect(found[index]).toMatchObject({
      version: BigInt(inFile?.version ?? 0),
      link: inFile?.link,
      day: file?.head.day,
      headHash: file?.head.hash,
    });
  }
});
