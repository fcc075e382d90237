import type pg from 'pg';
import { SEALED_COLUMNS, type SealedColumnName, sealContext } from '#db/encryption/sealed-columns.ts';
import type { SecretBox } from '#domain/encryption/secret-box.ts';

/**
 * Returns every value of every table of ours as one text, with sealed values opened and bytes as
 * hex. A test searches it for data that must not be stored any more, sealed or not.
 */
export async function openWholeDatabase(db: pg.Pool, box: SecretBox): Promise<string> {
  const { rows: tables } = await db.query<{ name: string }>(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'",
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    // The text as well: JSON's numbers are not exact here.
    const { rows } = await db.query<{ row: Record<string, unknown>; text: string }>(
      `SELECT to_jsonb(t) AS row, to_jsonb(t)::text AS text FROM "${name}" t`,
    );
    for (const { row, text } of rows) texts.push(text, ...openRow(box, name, row));
  }
  return texts.join('\n');
}

function openRow(box: SecretBox, table: string, row: Record<string, unknown>): string[] {
  const texts = Object.fromEntries(Object.entries(row).map(([name, value]) => [name, String(value)]));
  return Object.entries(SEALED_COLUMNS).flatMap(([name, { kind }]) => {
    const [of, column = ''] = name.split('.');
    const sealed = row[column];
    if (of !== table || typeof sealed !== 'string') return [];
    const context = sealContext(name as SealedColumnName, texts);
    if (kind === 'text') return [box.open(sealed, context)];
    return [box.openBytes(Buffer.from(sealed.replace(/^\\x/, ''), 'hex'), context).toString('utf8')];
  });
}
