/**
 * The syntax of EMV Merchant-Presented codes: a chain of fields, each an id (2 digits), a length (2 digits) and a value. Values
 * of templates are such chains themselves. What the fields mean is br-code.ts's.
 */
export type EmvField = { id: string; value: string; children?: EmvField[] };

/** A text that is no chain of fields, or not the chain it should be; the message is Portuguese, for the person who pasted it. */
export class EmvFault extends Error {}

/**
 * The fields of a text, those of its templates as children.
 * @throws EmvFault that names the position, counted from 1, of the first field that is malformed, cut short or repeated.
 */
export function parseEmvFields(text: string): EmvField[] {
  return parseChain(text, 0, isTemplate);
}

/** One field's text. The value has 1 to 99 ASCII characters; that is for the caller to see to. */
export function emvField(id: string, value: string): string {
  return `${id}${String(value.length).padStart(2, '0')}${value}`;
}

/** Merchant accounts, additional data, unreserved templates (EMV MPM 1.1, table 3.1). */
function isTemplate(id: string): boolean {
  return (id >= '26' && id <= '51') || id === '62' || id >= '80';
}

/** `offset` is where the text begins in the whole code. Inside a template nothing is a template: PIX has none there. */
function parseChain(text: string, offset: number, hasChildren: (id: string) => boolean): EmvField[] {
  const fields: EmvField[] = [];
  for (let at = 0; at < text.length; ) {
    const position = `na posição ${offset + at + 1}`;
    const [head, id = '', length = ''] = /^(\d\d)(\d\d)/.exec(text.slice(at, at + 4)) ?? [];
    if (head === undefined) throw new EmvFault(`Campo malformado ${position}.`);
    const value = text.slice(at + 4, at + 4 + Number(length));
    if (Number(length) === 0) throw new EmvFault(`O campo ${id} ${position} está vazio.`);
    if (value.length < Number(length)) {
      throw new EmvFault(`O campo ${id} ${position} declara ${Number(length)} caracteres e tem ${value.length}.`);
    }
    if (fields.some((field) => field.id === id)) throw new EmvFault(`O campo ${id} se repete ${position}.`);
    const start = offset + at + 4;
    fields.push(hasChildren(id) ? { id, value, children: parseChain(value, start, () => false) } : { id, value });
    at += 4 + value.length;
  }
  return fields;
}
