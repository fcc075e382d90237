/**
 * Every failure the service can tell a caller about: its HTTP status and its Portuguese text. `error` is the short name that
 * the status and balance endpoints carry beside the message; the texts of the REST contract are kept to the letter.
 */
export const ERROR_CATALOGUE = {
  api_key_missing: {
    status: 401,
    error: 'API key não fornecida',
    message: 'Envie sua chave de API no cabeçalho x-api-key.',
  },
  api_key_invalid: {
    status: 401,
    error: 'API key inválida',
    message: 'A chave de API enviada não existe ou foi revogada. Confira se ela foi copiada por inteiro.',
  },
  kyc_not_approved: {
    status: 403,
    error: 'KYC não aprovado',
    message: 'A verificação cadastral (KYC) desta conta ainda não foi aprovada.',
  },
  invalid_transaction_type: {
    status: 400,
    error: 'Tipo inválido',
    message: 'Informe o tipo (type) como pix_in ou pix_out.',
  },
  transaction_not_found: {
    status: 404,
    error: 'Transação não encontrada',
    message: 'Nenhuma transação com este identificador e tipo foi encontrada para este usuário.',
  },
  invalid_amount: {
    status: 400,
    error: 'Valor inválido',
    message: 'Envie amount como número em reais, maior que zero, com no máximo duas casas decimais.',
  },
  invalid_input: {
    status: 400,
    error: 'Dados inválidos',
    message: 'Corrija os campos indicados em details e envie de novo.',
  },
  charge_not_created: {
    status: 400,
    error: 'Não foi possível criar a cobrança',
    message: 'O provedor PIX não criou a cobrança. Nada foi cobrado; tente de novo em instantes.',
  },
  rail_not_configured: {
    status: 400,
    error: 'Nenhuma configuração encontrada',
    message: 'Não há provedor PIX ativo para esta conta.',
  },
  invalid_json: { status: 400, error: 'JSON inválido', message: 'O corpo da requisição não é um objeto JSON válido.' },
  body_too_large: { status: 413, error: 'Corpo grande demais', message: 'O corpo da requisição passa de 64 KiB.' },
  unsupported_media_type: {
    status: 415,
    error: 'Tipo de conteúdo não suportado',
    message: 'Envie o corpo em JSON, com Content-Type: application/json.',
  },
  bad_request: { status: 400, error: 'Requisição inválida', message: 'A requisição não pôde ser lida.' },
  route_not_found: { status: 404, error: 'Rota não encontrada', message: 'Não existe nada neste endereço.' },
  method_not_allowed: {
    status: 405,
    error: 'Método não permitido',
    message: 'Este endereço não aceita este método; veja o cabeçalho Allow.',
  },
  unavailable: {
    status: 503,
    error: 'Serviço indisponível',
    message: 'O serviço está temporariamente indisponível. Tente de novo em instantes.',
  },
  internal: {
    status: 500,
    error: 'Erro interno',
    message: 'Algo falhou do nosso lado. Informe o x-request-id desta resposta ao suporte.',
  },
} as const satisfies Record<string, { status: number; error: string; message: string }>;

export type ErrorCode = keyof typeof ERROR_CATALOGUE;

/** One fault of one input field; `field` is its name on the wire. */
export type FieldFault = { field: string; message: string };

/** The one error type. What happened (`cause`) goes to the log, the catalogue's text goes to the wire. */
export class DomainError extends Error {
  readonly code: ErrorCode;
  readonly details: FieldFault[] | undefined;
  /** Further members of the body, e.g. kyc_status. */
  readonly extra: Record<string, string> | undefined;

  constructor(
    code: ErrorCode,
    options: { details?: FieldFault[]; extra?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(code, { cause: options.cause });
    this.name = 'DomainError';
    this.code = code;
    this.details = options.details;
    this.extra = options.extra;
  }
}
