/**
 * Rejections, as RFC 7807 problems. The standard side uses the types and texts of API Pix 2.9.0
 * ("Erros"); the control side is ours, not the standard's, hence `about:blank` (RFC 7807 section
 * 4.2) and a detail that says what to do.
 */
import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';

const TYPE_PREFIX = 'https://pix.bcb.gov.br/api/v2/error/';

const STANDARD = {
  RequisicaoInvalida: { status: 400, title: 'Requisição inválida.', detail: 'Requisição inválida.' },
  AcessoNegado: {
    status: 403,
    title: 'Acesso Negado',
    detail: 'Requisição de participante autenticado que viola alguma regra de autorização.',
  },
  NaoEncontrado: { status: 404, title: 'Não Encontrado', detail: 'Entidade não encontrada.' },
  CobNaoEncontrado: {
    status: 404,
    title: 'Não Encontrado',
    detail: 'Cobrança não encontrada para o txid informado.',
  },
  CobPayloadNaoEncontrado: {
    status: 404,
    title: 'Não Encontrado',
    detail: 'A cobrança em questão não foi encontrada para a location requisitada.',
  },
  CobOperacaoInvalida: {
    status: 400,
    title: 'Cobrança inválida.',
    detail:
      'A requisição que busca alterar ou criar uma cobrança para pagamento imediato não respeita o _schema_ ou está semanticamente errada.',
  },
  WebhookNaoEncontrado: {
    status: 404,
    title: 'Não Encontrado',
    detail: 'O webhook denotado por {chave} não encontra-se estabelecido.',
  },
  WebhookOperacaoInvalida: {
    status: 400,
    title: 'Webhook inválido.',
    detail:
      'A presente requisição busca criar um webhook sem respeitar o _schema_ ou, ainda, com sentido semanticamente inválido.',
  },
  PixNaoEncontrado: {
    status: 404,
    title: 'Não Encontrado',
    detail: 'Pix não encontrado para o e2eid informado.',
  },
  PixDevolucaoNaoEncontrada: {
    status: 404,
    title: 'Não Encontrado',
    detail: 'Devolução representada por {id} não encontrada para o e2eid informado.',
  },
  PixConsultaInvalida: {
    status: 400,
    title: 'Consulta inválida.',
    detail:
      'Os parâmetros de consulta à lista de pix recebidos não respeitam o _schema_ ou não fazem sentido semanticamente.',
  },
  PixDevolucaoInvalida: {
    status: 400,
    title: 'Devolução inválida.',
    detail: 'A presente requisição de devolução não respeita o _schema_ ou está semanticamente errada.',
  },
  /** Efí's, in the standard's shape (dev.efipay.com.br, "Envio e Pagamento Pix"). */
  PixEnviadoNaoEncontrado: {
    status: 404,
    title: 'Não Encontrado',
    detail: 'Pix enviado não encontrado.',
  },
  /** Efí's (dev.efipay.com.br, "Endpoints exclusivos Efí"). */
  InfracoesConsultaInvalida: {
    status: 400,
    title: 'Consulta Inválida',
    detail: 'Os parâmetros de consulta não respeitam o schema ou não fazem sentido semanticamente.',
  },
  InfracaoNaoEncontrada: { status: 404, title: 'Não Encontrado', detail: 'Infração não encontrada.' },
  InfracaoOperacaoInvalida: {
    status: 422,
    title: 'Operação Inválida',
    detail:
      'A requisição que busca apresentar uma defesa de infração não respeita o schema ou está semanticamente errada.',
  },
  ErroInternoDoServidor: {
    status: 500,
    title: 'Erro Interno do Servidor',
    detail: 'Condição inesperada ao processar requisição.',
  },
  ServicoIndisponivel: {
    status: 503,
    title: 'Serviço Indisponível',
    detail:
      'Serviço não está disponível no momento. Serviço solicitado pode estar em manutenção ou fora da janela de funcionamento.',
  },
  IndisponibilidadePorTempoEsgotado: {
    status: 504,
    title: 'Tempo Esgotado',
    detail: 'Indica que o serviço demorou além do esperado para retornar.',
  },
} as const;

type ProblemType = keyof typeof STANDARD;

/** One broken rule: why, which property (dotted path), and its value where that is a plain one. */
export type Violation = { razao: string; propriedade: string; valor?: string };

/** An error that is answered as a problem, thrown where there is no response object. */
export class Problem extends Error {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly headers: Record<string, string>;

  constructor(status: number, body: Record<string, unknown>, headers: Record<string, string> = {}) {
    super(`${status} ${String(body.title)}`);
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/**
 * A problem of the standard side.
 * @param type the standard's type name; its status and text are the standard's unless `more` says
 *   otherwise
 */
export function pixProblem(
  type: ProblemType,
  more: {
    status?: number;
    detail?: string;
    violacoes?: Violation[];
    headers?: Record<string, string>;
    extension?: Record<string, string>;
  } = {},
): Problem {
  const { title, detail, status } = STANDARD[type];
  const body = {
    type: TYPE_PREFIX + type,
    title,
    status: more.status ?? status,
    detail: more.detail ?? detail,
    correlationId: randomUUID(),
    ...(more.violacoes ? { violacoes: more.violacoes } : {}),
    ...more.extension,
  };
  return new Problem(body.status, body, more.headers);
}

/**
 * Returns a 401 of the standard side: the caller has no valid token (the standard has a type for
 * 403 only).
 */
export function unauthorized(
  scheme: 'Basic' | 'Bearer',
  detail: string,
  extension: Record<string, string> = {},
): Problem {
  return pixProblem('AcessoNegado', {
    status: 401,
    detail,
    extension,
    headers: { 'www-authenticate': `${scheme} realm="sandbox"` },
  });
}

/**
 * Why something can't be done to a charge, an invoice or a payout in its current state, as a code
 * for pages with their own texts.
 */
type ControlReason =
  | 'unknown'
  | 'several'
  | 'removed'
  | 'never_paid'
  | 'paid'
  | 'expired'
  | 'nothing_waits'
  | 'too_small';

/**
 * Returns a problem of the control side; `detail` is for the person at the keyboard and says what
 * to do.
 */
export function controlProblem(
  status: number,
  detail: string,
  more: { headers?: Record<string, string>; reason?: ControlReason } = {},
): Problem {
  const { headers, ...named } = more;
  const title = STATUS_CODES[status] ?? 'Error';
  return new Problem(status, { type: 'about:blank', title, status, detail, ...named }, headers);
}
