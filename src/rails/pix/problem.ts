import { z } from 'zod';

/** A reason is one line in a log. */
const MAX_REASON_CHARACTERS = 500;
/**
 * What Efí answers with 400, where the standard has 404: `pix_nao_encontrado`,
 * `cobranca_nao_encontrada`, …
 */
const EFI_NOT_FOUND = /_nao_encontrad[ao]$/;

const text = z.string().min(1).optional().catch(undefined);

/**
 * RFC 7807 with API Pix 2.9.0's `violacoes`, and Efí's own shape beside it (`nome`, `mensagem`,
 * `erros`; dev.efipay.com.br, "Gestão de Pix"). Banco do Brasil has `erros` alone, each with an
 * `ocorrencia` (github.com/frones/ACBr, ACBrPIXPSPBancoDoBrasil.pas). The `valor` of a violation is
 * not read: it can be the payer's name or document.
 */
const problem = z.object({
  type: text,
  title: text,
  detail: text,
  violacoes: z
    .array(z.object({ razao: text, propriedade: text }))
    .optional()
    .catch(undefined),
  nome: text,
  mensagem: text,
  erros: z
    .array(z.object({ caminho: text, mensagem: text, codigo: text, ocorrencia: text }))
    .optional()
    .catch(undefined),
});

/**
 * Returns what a problem body says, in one line, e.g. `CobOperacaoInvalida: Cobrança inválida.
 * (cob.valor.original: …)`; `null` when the answer is no problem body, which means that something
 * other than the API answered. `clean` gets the line before it is cut, so that no half of a secret
 * is left at its end.
 */
export function readProblem(json: unknown, clean = (line: string) => line): string | null {
  const parsed = problem.safeParse(json);
  if (!parsed.success) return null;
  const { type, title, detail, violacoes, nome, mensagem, erros } = parsed.data;
  const signs = [type, title, detail, nome, ...(erros ?? []).map(({ ocorrencia }) => ocorrencia)];
  if (signs.every((sign) => sign === undefined)) return null;
  const violations = [
    ...(violacoes ?? []).map(({ propriedade, razao }) => join([propriedade, razao], ': ')),
    ...(erros ?? []).map(({ caminho, codigo, mensagem: wrong }) => join([caminho ?? codigo, wrong], ': ')),
  ];
  const kind = problemType(json);
  const reason = join([kind ?? undefined, join([title, detail, mensagem], ' ')], ': ');
  const whole = violations.length > 0 ? join([reason, `(${join(violations, '; ')})`], ' ') : reason;
  return clean(whole).slice(0, MAX_REASON_CHARACTERS);
}

/**
 * Returns the type of a problem, e.g. `CobNaoEncontrado`, or Efí's name; `null` where it has none.
 */
export function problemType(json: unknown): string | null {
  const { data } = problem.safeParse(json);
  return data?.type?.slice(data.type.lastIndexOf('/') + 1) ?? data?.nome ?? null;
}

/**
 * Returns whether the API itself answered that it has no such thing; a 404 of something in between
 * does not count.
 */
export function saysNotFound(status: number, json: unknown): boolean {
  if (status === 404) return readProblem(json) !== null;
  return status === 400 && EFI_NOT_FOUND.test(problem.safeParse(json).data?.nome ?? '');
}

function join(parts: (string | undefined)[], separator: string): string {
  return parts.filter(Boolean).join(separator);
}
