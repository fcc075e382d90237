import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '#db/connection/database.ts';
import { addMember } from '#db/testing/add-member.ts';
import { countLockWaits } from '#db/testing/count-lock-waits.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';
import { pdfFile } from '#testing/uploaded-files.ts';
import type { Member } from '../api-keys/principal.ts';
import type { Deps } from '../deps.ts';
import { approveVerification, findVerification } from './decide-verification.ts';
import { getVerification } from './get-verification.ts';
import { addKycDocument, removeKycDocument } from './manage-kyc-documents.ts';
import { submitVerification } from './submit-verification.ts';
import { typedPerson } from './testing/person-form.ts';

let trilho: TestService;
beforeAll(async () => {
  trilho = await startTestService();
});
afterAll(() => trilho.stop());

async function merchant() {
  const { merchantId } = await trilho.openAccount({ kycStatus: 'pending', mode: 'live' });
  const memberId = uuidv7(new Date());
  const email = `${memberId}@example.com`;
  await addMember(trilho.deps.db.pool, { id: memberId, merchantId, email });
  const who = { member: { memberId, merchantId } as Member, origin: { ipAddress: null, userAgent: null } };
  for (const kind of ['identity', 'selfie', 'address'] as const)
    await addKycDocument(trilho.deps, who, { kind, name: `${kind}.pdf`, bytes: pdfFile() });
  const form = { ...typedPerson, cpf: '39053344705', zip: '01310100' };
  const submit = (deps: Pick<Deps, 'db' | 'clock' | 'secretBox'> = trilho.deps) => submitVerification(deps, who, form);
  const remove = (id: string) => removeKycDocument(trilho.deps, who, id);
  const approve = async () => {
    const [{ id = '' } = {}] = (await getVerification(trilho.deps, merchantId)).submissions;
    const found = await findVerification(trilho.deps, id);
    if (!found) throw new Error('Nothing was submitted.');
    await approveVerification(trilho.deps, found);
  };
  return { merchantId, submit, remove, approve };
}

/** The verification as it is read where `change` is made once its merchant or form is read. */
function readWhile(merchantId: string, change: () => Promise<unknown>, onceRead: 'merchant' | 'form') {
  let onMerchant = () => {};
  const merchantRead = new Promise<void>((resolve) => {
    onMerchant = resolve;
  });
  const prisma = trilho.deps.db.prisma.$extends({
    query: {
      merchant: {
        async findUnique({ args, query }) {
          const found = await query(args);
          if (onceRead === 'merchant') await change();
          onMerchant();
          return found;
        },
      },
      kycSubmission: {
        async findMany({ args, query }) {
          await setImmediate();
          await merchantRead;
          const found = await query(args);
          if (onceRead === 'form') await change();
          return found;
        },
      },
    },
  });
  const db = { ...trilho.deps.db, prisma } as unknown as Database;
  return getVerification({ ...trilho.deps, db }, merchantId);
}

test('a verification that is approved while it is read is read as it was before', async () => {
  const { merchantId, submit, approve } = await merchant();
  await submit();
  const read = await readWhile(merchantId, approve, 'merchant');
  expect([read.status, read.canSubmit, read.submissions[0]?.decision]).toEqual(['pending', false, 'submitted']);
  const after = await getVerification(trilho.deps, merchantId);
  expect([after.status, after.canSubmit, after.submissions[0]?.decision]).toEqual(['approved', false, 'approved']);
});

test('documents that are submitted while they are read are in one of the two lists', async () => {
  const { merchantId, submit } = await merchant();
  const read = await readWhile(merchantId, submit, 'form');
  expect([read.canSubmit, read.documents.length, read.submitted.length]).toEqual([true, 3, 0]);
});

test('a document that is removed while it is being submitted stays with what was submitted', async () => {
  const { merchantId, submit, remove } = await merchant();
  const [document] = (await getVerification(trilho.deps, merchantId)).documents;
  let removal: Promise<string> | undefined;
  const prisma = trilho.deps.db.prisma.$extends({
    query: {
      kycDocument: {
        async findMany({ args, query }) {
          const found = await query(args);
          let isOver = false;
          removal ??= remove(document?.id ?? '')
            .then(
              () => 'removed',
              (error: { code: string }) => error.code,
            )
            .finally(() => {
              isOver = true;
            });
          const { pool } = trilho.deps.db;
          await trilho.until('the removal waits', async () => isOver || (await countLockWaits(pool)) > 0 || null);
          return found;
        },
      },
    },
  });
  await submit({ ...trilho.deps, db: { ...trilho.deps.db, prisma } as unknown as Database });
  expect(await removal).toBe('not_found');
  expect((await getVerification(trilho.deps, merchantId)).submitted).toHaveLength(3);
});
