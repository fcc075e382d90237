import type { SecretBox } from '#domain/encryption/secret-box.ts';
import { type AuditEntry, insertAuditIn } from '../audit/audit.ts';
import { sealContext } from '../encryption/sealed-columns.ts';
import type { Database } from './database.ts';

/**
 * Settings of this installation, sealed. `demo`: "true" or "false"; `sign-up`: a SignUpPolicy; the
 * others: JSON.
 */
export type SettingName = 'demo' | 'demo-login' | 'demo-operator' | 'demo-history' | 'ledger-signing-key' | 'sign-up';

/** The value, or null when it was never set. Throws when it was sealed with another master key. */
export async function readSetting(db: Database, box: SecretBox, name: SettingName): Promise<string | null> {
  const setting = await db.prisma.setting.findUnique({ where: { name } });
  return setting ? box.open(setting.sealed, sealContext('settings.sealed', { name })) : null;
}

/** Sets a value once: the first writer wins, and every caller gets the stored value. */
export async function setSettingOnce(db: Database, box: SecretBox, name: SettingName, value: string): Promise<string> {
  const sealed = box.seal(value, sealContext('settings.sealed', { name }));
  await db.prisma.setting.createMany({ data: [{ name, sealed }], skipDuplicates: true });
  return (await readSetting(db, box, name)) ?? value;
}

/** Replaces a value that was set before. */
export async function replaceSetting(db: Database, box: SecretBox, name: SettingName, value: string): Promise<void> {
  await db.prisma.setting.update({
    where: { name },
    data: { sealed: box.seal(value, sealContext('settings.sealed', { name })) },
  });
}

/**
 * Sets a value of the operator's, with the audit, in one commit. `audit` makes the entry, of the
 * value that is replaced, null where there was none, also where another change is in progress.
 */
export async function putSetting(
  db: Database,
  box: SecretBox,
  { name, value, audit }: { name: SettingName; value: string; audit: (before: string | null) => AuditEntry },
): Promise<void> {
  const context = sealContext('settings.sealed', { name });
  const sealed = box.seal(value, context);
  await db.prisma.$transaction(async (tx) => {
    const { count } = await tx.setting.createMany({ data: [{ name, sealed }], skipDuplicates: true });
    if (count === 1) return insertAuditIn(tx, audit(null));
    // Changes nothing: it locks the row.
    await tx.setting.update({ where: { name }, data: { name } });
    const before = await tx.setting.findUniqueOrThrow({ where: { name } });
    await tx.setting.update({ where: { name }, data: { sealed } });
    await insertAuditIn(tx, audit(box.open(before.sealed, context)));
  });
}
