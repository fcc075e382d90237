import {
  type BrCodeIssue,
  type BrCodeNode,
  childOf,
  guiOf,
  isOfPix,
  locationIssues,
  wrongValue,
} from './br-code-chain.ts';

/** The recurring authorisation in field 80 of a code. */
type Recurrence = {
  /** Where the payer's bank reads it, without scheme. */
  location: string | null;
  journey: 2 | 3 | 4 | null;
  issues: BrCodeIssue[];
};

/** EMV MPM 1.1, table 3.1: 80 to 99 are templates of whichever payment system is named in them. */
export const UNRESERVED_FROM = 80;

/**
 * A location's path contains the route that serves it (API Pix 2.9.0, tags CobPayload, RecPayload).
 */
const DUE_CHARGE_PATH = /\/cobv\//;
const RECURRENCE_PATH = /\/rec\//;

/**
 * Reads the part of a composite code that asks for a recurring authorisation: field 80 with PIX's
 * identifier and the location in 25 (API Pix 2.9.0, examples of `dadosQR` with `JORNADA_2`, `_3`
 * and `_4`).
 * @param account PIX's account in the same code
 */
export function readRecurrence(nodes: readonly BrCodeNode[], account: BrCodeNode | undefined): Recurrence {
  const templates = nodes.filter(({ id }) => Number(id) >= UNRESERVED_FROM);
  const [template, second] = templates.filter(isOfPix);
  const location = childOf(template, '25');
  const asks = childOf(account, '01') ?? childOf(account, '25');
  const issues: BrCodeIssue[] = [];
  for (const other of templates) {
    // Other payment systems may stand beside PIX (the manual of BR Code has such an example), but
    // nothing to pay and nothing to authorise is a mistake.
    const isMeant = childOf(other, '25') !== undefined || (account && !asks && !template);
    if (!isOfPix(other) && isMeant) issues.push(wrongValue('recurrence_gui', other, { gui: guiOf(other) ?? '' }));
  }
  if (second) issues.push(wrongValue('recurrence_twice', second));
  if (template && !location) issues.push(wrongValue('no_recurrence', template));
  // A location that is cut off has an issue already.
  if (location && location.value.length === location.length) {
    issues.push(...locationIssues(location));
    if (!RECURRENCE_PATH.test(location.value))
      issues.push({ ...wrongValue('recurrence_path', location), severity: 'warning' });
  }
  return { location: location?.value ?? null, journey: location ? journeyOf(account) : null, issues };
}

/**
 * - 2: the authorisation alone.
 * - 3: an immediate charge, whose payment authorises.
 * - 4: a charge with a due date, or a static code, beside which the payer may authorise (static:
 *   dev.fitbank.com.br/docs/journey-4, no example in the standard).
 */
function journeyOf(account: BrCodeNode | undefined): Recurrence['journey'] {
  const location = childOf(account, '25')?.value;
  if (location !== undefined) return DUE_CHARGE_PATH.test(location) ? 4 : 3;
  if (childOf(account, '01')) return 4;
  return account ? 2 : null;
}
