import { afterAll, beforeAll, expect, test } from 'vitest';
import { addMasterKey, generateMasterKeys, promoteMasterKey } from '#domain/encryption/master-keys.ts';
import { createSecretBox } from '#domain/encryption/secret-box.ts';
import { panelCaller } from '#testing/panel-caller.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';

/**
 * A master key was put in front, and what the one before it sealed is not sealed again yet
 * (docs/key-rotation.md): the same document has two fingerprints.
 */

const PERSON = { customerDocument: '52998224725', customerDocumentType: 'cpf' as const };

const before = addMasterKey(generateMasterKeys());
const now = promoteMasterKey(before, 'v2') ?? '';

let trilho: TestService;
let panel: Awaited<ReturnType<typeof panelCaller>>;
let panelBefore: typeof panel;
beforeAll(async () => {
  trilho = await startTestService({ variables: { MASTER_KEYS: now } });
  const { accountId } = await trilho.openAccount();
  panel = await panelCaller(trilho.deps, accountId);
  panelBefore = await panelCaller({ ...trilho.deps, secretBox: createSecretBox(before) }, accountId);
});
afterAll(() => trilho.stop());

async function paid(by: typeof panel, more: object): Promise<string> {
  const { data } = await by.charges.create({ ...PERSON, ...more } as never);
  await trilho.pay(data.transaction_id);
  return trilho.until('the charge is paid', async () => {
    const { transaction } = await panel.detail.get({ transaction_id: data.transaction_id });
    return transaction.status === 'paid' ? data.transaction_id : null;
  });
}

test('a customer is one while two master keys are in use, with all that they paid under both', async () => {
  const oldest = await paid(panelBefore, { amount: 70, customerName: 'Maria Antiga', customerPhone: '11987654321' });
  const newest = await paid(panel, { amount: 30, customerName: 'Maria Nova' });
  const whole = {
    ...{ customer_id: oldest, name: 'Maria Nova', phone: '+55 11 *****-4321' },
    ...{ count: 2, paid_count: 2, paid: 100, total: 100 },
  };
  for (const customer_id of [oldest, newest]) expect(await panel.customers.get({ customer_id })).toMatchObject(whole);
  for (const text of [undefined, PERSON.customerDocument, 'Maria', 'Antiga']) {
    const { customers } = await panel.customers.list({ text });
    expect(customers, text).toMatchObject([whole]);
  }
});
