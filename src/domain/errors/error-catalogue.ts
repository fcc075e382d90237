/**
 * Who gets an error: `api`, callers of the REST API; `panel`, the pages; `both`. The API answers
 * with the texts here, in Portuguese: `error` is the short name that the status and balance
 * endpoints carry beside the message, and the texts of the REST contract are kept to the letter.
 * `code` is the row's name here, which integrators' programs compare: it is never renamed. The
 * pages get the code alone, and have the texts in each of their languages.
 */
type CatalogueRow =
  | { status: number; audience: 'api' | 'both'; error: string; message: string }
  | { status: number; audience: 'panel' };

/** Every error that a caller of the service can get, with its HTTP status. */
export const ERROR_CATALOGUE = {
  api_key_missing: {
    status: 401,
    audience: 'api',
    error: 'API key não fornecida',
    message: 'Envie sua chave de API no cabeçalho x-api-key.',
  },
  api_key_invalid: {
    status: 401,
    audience: 'api',
    error: 'API key inválida',
    message: 'A chave de API enviada não existe, venceu ou foi revogada. Confira se ela foi copiada por inteiro.',
  },
  kyc_not_approved: {
    status: 403,
    audience: 'both',
    error: 'KYC não aprovado',
    message:
      'A verificação cadastral (KYC) desta conta ainda não foi aprovada. O dono da conta a envia e acompanha no painel, em Verificação.',
  },
  unsupported_version: {
    status: 400,
    audience: 'api',
    error: 'Versão da API não atendida',
    message: 'Peça em x-api-version uma versão que este serviço atende ({versions}), ou não envie o cabeçalho.',
  },
  invalid_transaction_type: {
    status: 400,
    audience: 'api',
    error: 'Tipo inválido',
    message: 'Informe o tipo (type) como pix_in ou pix_out.',
  },
  transaction_not_found: {
    status: 404,
    audience: 'both',
    error: 'Transação não encontrada',
    message: 'Nenhuma transação com este identificador e tipo foi encontrada para este usuário.',
  },
  invalid_amount: {
    status: 400,
    audience: 'both',
    error: 'Valor inválido',
    message: 'Envie amount como número em reais, maior que zero, com no máximo duas casas decimais.',
  },
  invalid_input: {
    status: 400,
    audience: 'both',
    error: 'Dados inválidos',
    message: 'Corrija os campos indicados em details e envie de novo.',
  },
  reference_taken: {
    status: 409,
    audience: 'both',
    error: 'Referência já usada',
    message:
      'Outra transação desta conta, em transaction_id, ou uma devolução dela já tem esta reference. Nada foi criado.',
  },
  live_account_clock: {
    status: 409,
    audience: 'both',
    error: 'Conta de produção',
    message: 'Só contas de teste têm um relógio que avança. Use uma chave de API de uma conta de teste.',
  },
  clock_moving: {
    status: 409,
    audience: 'both',
    error: 'Relógio avançando',
    message: 'O relógio desta conta ainda está avançando. Espere até que target seja null em GET /test-clock.',
  },
  charge_not_created: {
    status: 400,
    audience: 'both',
    error: 'Não foi possível criar a cobrança',
    message: 'O provedor PIX não criou a cobrança. Nada foi cobrado; tente de novo em instantes.',
  },
  rail_not_configured: {
    status: 400,
    audience: 'both',
    error: 'Nenhuma configuração encontrada',
    message:
      'A conta não tem um provedor ativo para esta operação, ou ela foi desligada nesta conta. Nada foi criado. O dono de uma conta de produção conecta um provedor no painel, em Provedores; fora isso, fale com quem cuida da instalação.',
  },
  rail_closed: {
    status: 503,
    audience: 'both',
    error: 'Meio de pagamento desligado',
    message: 'Esta operação está desligada para todas as contas: {reason}. Nada foi criado; tente mais tarde.',
  },
  own_credentials_required: {
    status: 400,
    audience: 'both',
    error: 'Credenciais próprias necessárias',
    message:
      'Esta instalação pede que cada conta de produção use credenciais próprias do provedor. O dono da conta as conecta no painel, em Provedores.',
  },
  below_minimum: {
    status: 400,
    audience: 'both',
    error: 'Valor abaixo do mínimo permitido',
    message: 'O valor está abaixo do mínimo por operação desta conta, {minimum}; consulte GET /payments/limits.',
  },
  above_maximum: {
    status: 400,
    audience: 'both',
    error: 'Valor acima do máximo permitido',
    message: 'O valor está acima do máximo por operação desta conta, {maximum}; consulte GET /payments/limits.',
  },
  daily_limit_reached: {
    status: 400,
    audience: 'both',
    error: 'Limite diário atingido',
    message:
      'Com este saque, a soma do dia (horário de São Paulo) passaria do limite diário da conta; consulte GET /payments/limits.',
  },
  night_limit_reached: {
    status: 400,
    audience: 'both',
    error: 'Limite noturno atingido',
    message:
      'Com este saque, a soma da noite (das 20h às 6h, horário de São Paulo) passaria do limite noturno da conta; consulte GET /payments/limits.',
  },
  key_call_cap_exceeded: {
    status: 400,
    audience: 'api',
    error: 'Acima do máximo por pedido da chave',
    message: 'O valor passa do máximo por pedido que um membro da conta deu à chave deste assistente. Nada foi pedido.',
  },
  key_day_cap_reached: {
    status: 400,
    audience: 'api',
    error: 'Máximo diário da chave atingido',
    message:
      'Com este saque, a soma do dia (horário de São Paulo) passaria do máximo que um membro da conta deu à chave deste assistente; o que espera pela confirmação conta. Nada foi pedido.',
  },
  insufficient_funds: {
    status: 400,
    audience: 'both',
    error: 'Saldo insuficiente',
    message:
      'O saldo disponível não cobre o valor e a tarifa desta operação. O que entrou por credenciais próprias só sai por elas.',
  },
  invalid_pix_key: {
    status: 400,
    audience: 'both',
    error: 'Chave PIX inválida',
    message: 'A chave não é válida para o tipo informado em pixKeyType (CPF, CNPJ, EMAIL, PHONE ou EVP).',
  },
  currency_not_configured: {
    status: 400,
    audience: 'both',
    error: 'Nenhuma moeda configurada para este usuário',
    message:
      'A conta não tem uma moeda que possa ser usada. Envie em currency um código de GET /payments/currencies, ou escolha a moeda da conta no painel, em Preferências. Se nenhuma está ativa, fale com quem cuida da instalação.',
  },
  unsupported_currency: {
    status: 400,
    audience: 'both',
    error: 'Moeda não suportada',
    message: 'O código em currency não é de uma moeda oferecida; consulte GET /payments/currencies.',
  },
  quote_unavailable: {
    status: 400,
    audience: 'both',
    error: 'Não foi possível obter cotação',
    message: 'Não há cotação recente e confiável neste momento. Nada foi criado; tente de novo em instantes.',
  },
  below_network_minimum: {
    status: 400,
    audience: 'both',
    error: 'Valor abaixo do mínimo aceito pela rede',
    message: 'O equivalente em cripto está abaixo do mínimo da rede; consulte GET /payments/currencies.',
  },
  invoice_not_created: {
    status: 400,
    audience: 'both',
    error: 'Não foi possível criar invoice',
    message: 'O processador cripto não criou a invoice. Nada foi cobrado; tente de novo em instantes.',
  },
  wallet_required: {
    status: 400,
    audience: 'both',
    error: 'Carteira de destino é obrigatória',
    message: 'Envie em wallet o endereço da carteira de destino.',
  },
  invalid_wallet: {
    status: 400,
    audience: 'both',
    error: 'Carteira de destino inválida',
    message: 'O endereço em wallet não é válido na rede da moeda escolhida.',
  },
  own_deposit_address: {
    status: 400,
    audience: 'both',
    error: 'Carteira de destino inválida',
    message: 'O endereço em wallet é de um depósito deste serviço. Envie o de uma carteira sua.',
  },
  invalid_memo: {
    status: 400,
    audience: 'both',
    error: 'Memo inválido',
    message: 'O memo não é válido, a rede da moeda escolhida não usa memo, ou o provedor não envia saques com memo.',
  },
  permission_denied: {
    status: 403,
    audience: 'both',
    error: 'Permissão negada',
    message:
      'Esta chave, ou a conta dela, não tem permissão para esta operação. Um membro cria no painel, em Chaves de API, outra com a permissão que falta; abrir contas depende também da conta.',
  },
  ip_not_allowed: {
    status: 403,
    audience: 'api',
    error: 'Endereço IP não permitido',
    message: 'Esta chave só aceita requisições dos endereços IP da lista dela, que se vê em Chaves de API no painel.',
  },
  origin_not_allowed: {
    status: 403,
    audience: 'api',
    error: 'Origem não permitida',
    message:
      'O endereço /mcp só atende requisições feitas ao endereço público desta instalação, e de nenhuma página de outro site.',
  },
  account_suspended: {
    status: 403,
    audience: 'both',
    error: 'Conta suspensa',
    message: 'Esta conta está suspensa: ela continua recebendo, mas não faz operações. Fale com o suporte.',
  },
  withdrawals_paused: {
    status: 403,
    audience: 'both',
    error: 'Saques e devoluções pausados',
    message:
      'Quem criou esta chave redefiniu a senha ou retirou a segunda etapa do acesso há pouco: até {paused_until} nenhum dinheiro sai.',
  },
  // The crypto endpoints answer `error` alone, as their message.
  not_a_payee: {
    status: 403,
    audience: 'both',
    error: 'Destino fora dos favorecidos da conta: adicione-o no painel',
    message:
      'Esta conta só envia este valor a favorecidos, e este destino não é um deles. Adicione-o no painel, em Favorecidos: 24 horas depois ele pode receber.',
  },
  payee_waits: {
    status: 403,
    audience: 'both',
    error: 'Favorecido ainda em espera: repita o saque depois de usable_from',
    message:
      'Este destino é um favorecido há pouco, e a conta só envia este valor a quem já passou da espera: repita o saque depois de {usable_from}.',
  },
  account_exists: {
    status: 409,
    audience: 'api',
    error: 'Conta já existe',
    message: 'Já existe uma conta com este e-mail. Use a chave dela, ou envie outro e-mail.',
  },
  not_refundable: {
    status: 400,
    audience: 'both',
    error: 'Transação não pode ser devolvida',
    message: 'Só uma cobrança PIX paga há no máximo 90 dias pode ser devolvida.',
  },
  charge_disputed: {
    status: 400,
    audience: 'both',
    error: 'Pagamento em contestação',
    message: 'O pagador contestou este pagamento (MED): responda à contestação em vez de devolver.',
  },
  dispute_not_found: {
    status: 404,
    audience: 'both',
    error: 'Contestação não encontrada',
    message: 'Nenhuma contestação com este identificador foi encontrada para este usuário.',
  },
  dispute_answered: {
    status: 400,
    audience: 'both',
    error: 'Contestação já respondida',
    message: 'Esta contestação já tem resposta, que não muda mais: aguarde a decisão.',
  },
  dispute_closed: {
    status: 400,
    audience: 'both',
    error: 'Contestação encerrada',
    message: 'Esta contestação já foi decidida e não espera mais por resposta.',
  },
  dispute_too_late: {
    status: 400,
    audience: 'both',
    error: 'Prazo de resposta encerrado',
    message: 'O prazo para responder a esta contestação, em answer_by, terminou.',
  },
  refund_too_large: {
    status: 400,
    audience: 'both',
    error: 'Valor acima do disponível para devolução',
    message: 'A soma das devoluções não pode passar do valor original da cobrança.',
  },
  not_cancellable: {
    status: 400,
    audience: 'both',
    error: 'Transação não pode ser cancelada',
    message: 'Só uma cobrança PIX pendente pode ser cancelada.',
  },
  payout_started: {
    status: 400,
    audience: 'both',
    error: 'Saque não pode ser cancelado',
    message: 'Só um saque agendado que ainda não começou pode ser cancelado. Consulte o status dele.',
  },
  key_owner_unknown: {
    status: 400,
    audience: 'both',
    error: 'Não foi possível conferir a chave PIX',
    message: 'O provedor não disse de quem é a chave. Nada foi agendado; tente de novo em instantes.',
  },
  charge_not_cancelled: {
    status: 400,
    audience: 'both',
    error: 'Não foi possível cancelar a cobrança',
    message: 'O provedor PIX não confirmou o cancelamento. Consulte a cobrança e tente de novo em instantes.',
  },
  /** Answered where the picture of a QR code is asked for at the payment page's address. */
  charge_not_payable: {
    status: 410,
    audience: 'api',
    error: 'Cobrança não pode mais ser paga',
    message: 'Esta cobrança já foi paga, expirou ou foi cancelada: não há o que pagar.',
  },
  event_not_found: {
    status: 404,
    audience: 'both',
    error: 'Evento não encontrado',
    message: 'Nenhum evento com este identificador foi encontrado para este usuário.',
  },
  webhook_disabled: {
    status: 409,
    audience: 'both',
    error: 'Webhook desativado',
    message:
      'O webhook deste tópico está desativado ou sem URL. Reative-o ou cadastre a URL no painel e envie de novo.',
  },
  endpoint_not_found: {
    status: 404,
    audience: 'both',
    error: 'Endpoint não encontrado',
    message: 'Nenhum endpoint de webhook com este identificador foi encontrado para este usuário.',
  },
  endpoint_disabled: {
    status: 409,
    audience: 'both',
    error: 'Endpoint desativado',
    message: 'Este endpoint de webhook está desativado. Reative-o com enabled: true e envie de novo.',
  },
  too_many_endpoints: {
    status: 409,
    audience: 'both',
    error: 'Limite de endpoints atingido',
    message: 'A conta já tem {max} endpoints de webhook. Remova um deles e envie de novo.',
  },
  too_many_test_events: {
    status: 429,
    audience: 'both',
    error: 'Muitos eventos de teste',
    message: 'São até 20 eventos de teste por minuto em cada conta. Aguarde um minuto e envie de novo.',
  },
  secret_overlap: {
    status: 409,
    audience: 'both',
    error: 'Segredo em troca',
    message:
      'O segredo anterior deste endpoint ainda assina, até secret_overlap_until: outra troca deixaria um receptor com um segredo que não assina nada. Espere, ou envie overlap: false para que só o novo assine já.',
  },
  invalid_idempotency_key: {
    status: 400,
    audience: 'api',
    error: 'Idempotency-Key inválida',
    message: 'Envie o cabeçalho Idempotency-Key uma vez, com 1 a 255 caracteres ASCII visíveis, sem espaços.',
  },
  idempotency_key_reused: {
    status: 422,
    audience: 'both',
    error: 'Idempotency-Key já usada',
    message: 'Esta Idempotency-Key já foi usada com outra requisição. Use uma chave nova para cada operação.',
  },
  idempotency_key_running: {
    status: 409,
    audience: 'both',
    error: 'Requisição em andamento',
    message: 'A primeira requisição com esta Idempotency-Key ainda está em andamento. Repita em instantes.',
  },
  rate_limited: {
    status: 429,
    audience: 'both',
    error: 'Limite de requisições excedido',
    message: 'Aguarde os segundos do cabeçalho Retry-After antes de repetir.',
  },
  invalid_json: {
    status: 400,
    audience: 'api',
    error: 'JSON inválido',
    message: 'O corpo da requisição não é um objeto JSON válido.',
  },
  body_too_large: {
    status: 413,
    audience: 'api',
    error: 'Corpo grande demais',
    message: 'O corpo da requisição passa de 64 KiB.',
  },
  unsupported_media_type: {
    status: 415,
    audience: 'api',
    error: 'Tipo de conteúdo não suportado',
    message: 'Envie o corpo em JSON, com Content-Type: application/json.',
  },
  bad_request: {
    status: 400,
    audience: 'api',
    error: 'Requisição inválida',
    message: 'A requisição não pôde ser lida.',
  },
  route_not_found: {
    status: 404,
    audience: 'api',
    error: 'Rota não encontrada',
    message: 'Não existe nada neste endereço.',
  },
  method_not_allowed: {
    status: 405,
    audience: 'api',
    error: 'Método não permitido',
    message: 'Este endereço não aceita este método; veja o cabeçalho Allow.',
  },
  unavailable: {
    status: 503,
    audience: 'both',
    error: 'Serviço indisponível',
    message: 'O serviço está temporariamente indisponível. Tente de novo em instantes.',
  },
  internal: {
    status: 500,
    audience: 'both',
    error: 'Erro interno',
    message: 'Algo falhou do nosso lado. Informe o x-request-id desta resposta ao suporte.',
  },

  // The panel's own: its pages have the texts, in each of their languages (messages, `errors.*`).
  /** There is no session, or it has ended. */
  not_signed_in: { status: 401, audience: 'panel' },
  /**
   * The procedure asks for a fresh second factor (or the password, where none is set up); ask for
   * it and call again.
   */
  confirmation_required: { status: 403, audience: 'panel' },
  /** The second factor or password that was typed is wrong, or was used before. */
  confirmation_failed: { status: 403, audience: 'panel' },
  /** Too many wrong ones were typed: the member has to wait. */
  too_many_attempts: { status: 429, audience: 'panel' },
  /** No customer of this account has the document, or their data were erased. */
  customer_not_found: { status: 404, audience: 'panel' },
  /**
   * None of a customer's data may be erased yet; `from` is the first day on which it may
   * (2037-01-01).
   */
  customer_retained: { status: 409, audience: 'panel' },
  /** The data exceed one answer: the operator exports them at the command line. */
  customer_too_large: { status: 400, audience: 'panel' },
  /** The password is too short or easy to guess; `why` says which (password.ts). */
  weak_password: { status: 400, audience: 'panel' },
  /** The link was used, was withdrawn, is too old, or never existed. */
  link_over: { status: 400, audience: 'panel' },
  /** Not everybody may open an account of this installation. */
  sign_up_closed: { status: 403, audience: 'panel' },
  /** The address belongs to a member already. */
  already_member: { status: 409, audience: 'panel' },
  /** The address is that of a business: joining it takes an invitation. */
  merchant_exists: { status: 409, audience: 'panel' },
  /** The only owner: somebody has to be left who may do everything. */
  last_owner: { status: 409, audience: 'panel' },
  /** The person was removed from every merchant that they signed in to. */
  no_merchant: { status: 403, audience: 'panel' },
  /** An operator's decision could not be carried out; `why` is its outcome. */
  not_decided: { status: 409, audience: 'panel' },
  /** E-mail, password or code of an operator is wrong: which of them is not said. */
  operator_sign_in_failed: { status: 401, audience: 'panel' },
  /** The page belongs to another merchant than the one that this browser has chosen since. */
  other_account: { status: 409, audience: 'panel' },
  /** The account has the largest allowed number of planned changes. */
  too_many_planned: { status: 409, audience: 'panel' },
  /** The merchant has the largest allowed number of open invitations. */
  too_many_invitations: { status: 409, audience: 'panel' },
  /** Somebody has decided about this payment before. */
  payment_decided: { status: 409, audience: 'panel' },
  /** The charge is paid, or was made over other credentials than the payment. */
  charge_not_assignable: { status: 409, audience: 'panel' },
  /** The payment does not cover the charge's fee and split. */
  payment_too_small: { status: 409, audience: 'panel' },
  /** The result would have other figures than those that were shown. */
  figures_changed: { status: 409, audience: 'panel' },
  not_found: { status: 404, audience: 'panel' },
  /** The object is not in a state in which this can be done. */
  invalid_state: { status: 409, audience: 'panel' },
  payee_exists: { status: 409, audience: 'panel' },
  payees_full: { status: 409, audience: 'panel' },
  payee_not_found: { status: 404, audience: 'panel' },
  /** The credentials are the installation's, or another account's: its money would count twice. */
  credentials_taken: { status: 409, audience: 'panel' },
  /** Something is under way over the credentials: the params count it (InFlight). */
  credentials_in_use: { status: 409, audience: 'panel' },
  /** The withdrawal does not wait for an approval any more. */
  approval_decided: { status: 409, audience: 'panel' },
  /** The member asked for the withdrawal, or made the key that did. */
  approval_own: { status: 403, audience: 'panel' },
  /** The member who asked for the withdrawal may not send money now. */
  asker_paused: { status: 403, audience: 'panel' },
  /** The account has no batch of this id. */
  batch_not_found: { status: 404, audience: 'panel' },
} as const satisfies Record<string, CatalogueRow>;

type Catalogue = typeof ERROR_CATALOGUE;
type CodeFor<Audience> = {
  [Code in keyof Catalogue]: Catalogue[Code]['audience'] extends Audience ? Code : never;
}[keyof Catalogue];

export type ErrorCode = keyof Catalogue;
/** The codes of the REST API, which have texts here. */
export type ApiErrorCode = CodeFor<'api' | 'both'>;
/** The codes that pages get, and have texts for. */
export type PanelErrorCode = CodeFor<'panel' | 'both'>;

export const isApiError = (code: ErrorCode): code is ApiErrorCode => ERROR_CATALOGUE[code].audience !== 'panel';
export const isPanelError = (code: ErrorCode): code is PanelErrorCode => ERROR_CATALOGUE[code].audience !== 'api';

/** The codes of the REST API, in the catalogue's order. */
export const API_ERROR_CODES: readonly ApiErrorCode[] = (Object.keys(ERROR_CATALOGUE) as ErrorCode[]).filter(
  isApiError,
);
