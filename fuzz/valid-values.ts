import fc from 'fast-check';
import type { Schema } from '#server/rest/openapi/document-schemas.ts';

/** Values that a schema can't describe. */
export type Sources = {
  /** Ids of existing things. */
  ids: readonly string[];
  /** An address that takes webhooks. */
  receiverUrl: string;
};

/** Valid values by the member's name, for which a schema accepts any text. */
const BY_NAME: Readonly<Record<string, unknown>> = {
  customerDocument: '52998224725',
  customerDocumentType: 'cpf',
  customerPhone: '11987654321',
  document: '52998224725',
  documentType: 'cpf',
  phone: '11987654321',
  pixKey: 'maria@example.com',
  pixKeyType: 'EMAIL',
  wallet: '0x52908400098527886E0F7030069857D2E4169EE7',
  memo: null,
  allowed_ips: ['192.0.2.0/24'],
  expires_at: '2040-01-01T00:00:00.000Z',
};

const DAYS = ['2026-11-01', '2020-01-31', '2030-12-31'];
const INSTANTS = ['2026-11-22T12:30:00.000Z', '2020-01-01T00:00:00.000Z'];
/** The wallet above is an address of the first two. */
const CURRENCIES = ['ETH', 'USDT_BSC', 'BTC'];
const TEXTS = ['x', 'Pedido 1042', 'Ângela & Cia. 🍰', 'a b  c'];
/** How many items of a list are sent at most. */
const ITEMS_MAX = 4;
/** Amounts are small as often as large: only the first few large ones find enough money. */
const AMOUNT_USUAL_MAX = 200;

/** Values that a schema accepts; a text is one that fits its name. */
export function validValue(name: string, schema: Schema, sources: Sources): fc.Arbitrary<unknown> {
  const { anyOf, enum: values, const: only, type, format, items, properties, minimum = 0, maximum = 1e6 } = schema;
  if (name in BY_NAME) return fc.constant(BY_NAME[name]);
  if (anyOf) return fc.oneof(...anyOf.map((option) => validValue(name, option, sources)));
  if (values) return fc.constantFrom(...values);
  if (only !== undefined) return fc.constant(only);
  const types = [type].flat().filter((one) => one !== 'null');
  if (types.includes('boolean')) return fc.boolean();
  if (types.includes('integer')) return fc.integer({ min: Number(minimum), max: Math.min(Number(maximum), 1_000) });
  if (types.includes('number'))
    return fc.oneof(
      fc.integer({ min: 1, max: AMOUNT_USUAL_MAX * 100 }).map((centavos) => centavos / 100),
      fc.integer({ min: 1, max: Math.round(Number(maximum) * 100) }).map((centavos) => centavos / 100),
    );
  if (types.includes('array'))
    return fc.array(validValue(name, items ?? {}, sources), { minLength: 1, maxLength: ITEMS_MAX });
  if (types.includes('object')) return validInput(properties ?? {}, schema.required ?? [], sources);
  if (format === 'uuid') return fc.constantFrom(...sources.ids);
  if (format === 'date') return fc.constantFrom(...DAYS);
  if (format === 'date-time') return fc.constantFrom(...INSTANTS);
  if (format === 'email' || /email/i.test(name))
    return fc.nat({ max: 1e9 }).map((number) => `conta-${number}@example.com`);
  if (/url$/i.test(name)) return fc.constant(sources.receiverUrl);
  if (/currency/i.test(name)) return fc.constantFrom(...CURRENCIES);
  if (/(^|_)ids?$|Id$/.test(name)) return fc.constantFrom(...sources.ids);
  if (/^(from|to|since)$/.test(name)) return fc.constantFrom(...DAYS);
  return fc.constantFrom(...TEXTS);
}

/** An object with all required members, and some of the others. */
export function validInput(
  properties: Record<string, Schema>,
  required: readonly string[],
  sources: Sources,
): fc.Arbitrary<Record<string, unknown>> {
  const members = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, validValue(name, schema, sources)]),
  );
  return fc.record(members, { requiredKeys: required.filter((name) => name in members) });
}

/**
 * Returns the paths of an input's values: of every alternative, and of the first item of a list.
 */
export function fieldsOf(schema: Schema, path: readonly string[] = []): string[][] {
  const inner = [
    ...(['anyOf', 'oneOf', 'allOf'] as const).flatMap((of) =>
      ((schema[of] as Schema[] | undefined) ?? []).flatMap((each) =>
        fieldsOf(each, path).filter((one) => one !== path),
      ),
    ),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, each]) => fieldsOf(each, [...path, name])),
    ...(schema.items ? fieldsOf(schema.items, [...path, '0']) : []),
  ];
  const all = path.length > 0 ? [[...path], ...inner] : inner;
  return [...new Map(all.filter((one) => one.length > 0).map((one) => [one.join('\0'), one])).values()];
}
