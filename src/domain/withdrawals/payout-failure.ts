/**
 * Why a payout failed, in words for the merchant. Codes of four capitals and digits are those of the central bank's SPI (ISO
 * 20022's, as PSPs pass them on: OpenPix, "error codes of payments"); the others are ours, for what no network has a code for.
 */
export const PAYOUT_FAILURES = {
  AB03: 'O banco de destino não respondeu a tempo. Tente de novo em alguns minutos.',
  AC03: 'A conta de destino não existe ou está incorreta. Confira a chave PIX com quem vai receber.',
  AC06: 'A conta de destino está bloqueada.',
  AC07: 'A conta de destino foi encerrada.',
  AG03: 'A conta de destino não aceita este tipo de pagamento.',
  AM02: 'O valor passa do limite permitido para este pagamento.',
  AM04: 'A conta de onde sairia o PIX não tinha saldo suficiente no provedor.',
  BE01: 'O CPF ou CNPJ não é o do titular da conta de destino.',
  CH11: 'O CPF ou CNPJ de quem vai receber está incorreto.',
  DS04: 'O banco de destino recusou o pagamento.',
  DUPL: 'O pagamento foi recusado como duplicado.',
  ED05: 'O pagamento falhou na liquidação entre os bancos. Tente de novo em alguns minutos.',
  FRAD: 'O pagamento foi recusado por suspeita de fraude.',
  RR04: 'O pagamento foi recusado por exigência regulatória.',
  /** The crypto processor does not send to this address. */
  wallet_refused: 'A carteira de destino foi recusada. Confira o endereço e a rede.',
  provider_refused: 'O provedor recusou o pagamento.',
  /** The provider, asked long enough afterwards, knows no such payout. */
  provider_lost: 'O pedido não chegou ao provedor, e nada foi enviado. Tente de novo.',
  /** Suspended, or its merchant rejected, before it was sent. */
  account_stopped: 'A conta foi impedida de enviar dinheiro antes do envio. Fale com o suporte.',
  /** The transaction was sent and did not come through. */
  network_failed: 'A rede não confirmou a transação.',
  /** It contradicts how the payout had ended (settle-payout.ts): the payout is in review. */
  provider_says_failed: 'O provedor confirmou o pagamento e depois disse que falhou. Um operador decide; nada se move.',
  provider_says_paid:
    'O provedor disse que o pagamento falhou e depois que foi feito. Um operador decide; não o repita.',
  provider_says_completed:
    'O provedor disse que o envio falhou e depois que foi feito. Um operador decide; não o repita.',
} as const satisfies Record<string, string>;

const UNKNOWN_FAILURE = 'O pagamento não foi concluído, e o provedor não informou o motivo.';

/** The Portuguese sentence for a failure's code; a general one for no code and for codes we have no words for. */
export function payoutFailureText(code: string | null): string {
  return code !== null && isKnown(code) ? PAYOUT_FAILURES[code] : UNKNOWN_FAILURE;
}

const isKnown = (code: string): code is keyof typeof PAYOUT_FAILURES => Object.hasOwn(PAYOUT_FAILURES, code);
