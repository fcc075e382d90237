import { documentType, type PixChargeInput } from '#contract/charges/pix-charge.ts';
import { parseEmail, parsePhone } from '#domain/values/contact.ts';
import { parseDocument } from '#domain/values/documents.ts';
import type { Customer } from '#services/charges/seal-customer.ts';

type CustomerInput = Pick<
  PixChargeInput,
  'customerName' | 'customerEmail' | 'customerPhone' | 'customerDocument' | 'customerDocumentType'
>;

/** The customer that the contract's schema has checked, in the domain's terms. */
export function customerOf(input: CustomerInput): Customer {
  const type = typeof input.customerDocumentType === 'string' ? documentType(input.customerDocumentType) : null;
  return {
    name: input.customerName ?? null,
    email: typeof input.customerEmail === 'string' ? parseEmail(input.customerEmail) : null,
    phone: typeof input.customerPhone === 'string' ? parsePhone(input.customerPhone) : null,
    document: type && typeof input.customerDocument === 'string' ? parseDocument(input.customerDocument, type) : null,
    documentType: type,
  };
}
