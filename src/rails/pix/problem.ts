import { z } from 'zod';

/** A reason is one line in a log. */
const MAX_REASON_CHARACTERS = 500;

const text = z.string().min(1).optional().catch(undefined);

/** RFC 7807 with API Pix 2.9.0's `violacoes`. Their `valor` is not read: it can be the payer's name or document. */
const problem = z.object({
  type: text,
  title: text,
  detail: text,
  violacoes: z
    .array(z.object({ razao: text, propriedade: text }))
    .optional()
    .catch(undefined),
});

/**
 * What a problem body says, in one line, e.g. `CobOperacaoInvalida: Cobrança inválida. (cob.valor.original: …)`;
 * null when the answer is no problem body, which means that something other than the API answered. `conceal` sees the
 * line before it is cut, so that no half of a secret is left at its end.
 */
export function readProblem(json: unknown, conceal = (line: string) => line): string | null {
  const parsed = problem.safeParse(json);
  if (!parsed.success) return null;
  const { type, title, detail, violacoes } = parsed.data;
  if (type === undefined && title === undefined && detail === undefined) return null;
  const violations = (violacoes ?? []).map(({ propriedade, razao }) => join([propriedade, razao], ': '));
  const reason = join([type?.slice(type.lastIndexOf('/') + 1), join([title, detail], ' ')], ': ');
  const whole = violations.length > 0 ? `${reason} (${join(violations, '; ')})` : reason;
  return conceal(whole).slice(0, MAX_REASON_CHARACTERS);
}

function join(parts: (string | undefined)[], separator: string): string {
  return parts.filter(Boolean).join(separator);
}
