import { fieldIssue } from '#domain/errors/issues.ts';
import { DISPUTE_EXAMPLES } from './dispute-examples.ts';
import {
  CHARGE_ID,
  CREATED_AT,
  CRYPTO_WITHDRAWAL_ID,
  CUSTOMER_ACCOUNT_ID,
  DEPOSIT_WALLET,
  DESTINATION_WALLET,
  END_TO_END_ID,
  INVOICE_ID,
  ORDER,
  PAID_AT,
  PAYEE_ID,
  REFUND_ID,
  REFUNDED_AT,
  WITHDRAWAL_END_TO_END_ID,
  WITHDRAWAL_ID,
} from './document-ids.ts';
import { ENDPOINT_EXAMPLES } from './endpoint-examples.ts';
import { EVENT_EXAMPLES } from './event-examples.ts';
import type { OperationExamples } from './operation-example.ts';
import { STATEMENT_EXAMPLE } from './statement-example.ts';
import { TEST_CLOCK_EXAMPLES } from './test-clock-examples.ts';

const BR_CODE =
  '00020101021226600014br.gov.bcb.pix2538pix.example.com/qr/v2/01a1f8f3e8957c3a5204000053039865406150.755802BR5914Trilho Sandbox6009Sao Paulo62070503***63044CE5';

const NO_ORDER = { reference: null, metadata: null };

const WITHOUT_CURRENCY = [fieldIssue('currency', 'currency_not_chosen')];

const charge = {
  transaction_id: CHARGE_ID,
  external_id: END_TO_END_ID,
  type: 'pix_in',
  status: 'paid',
  amount: 150.75,
  amount_fees: 1.51,
  created_at: CREATED_AT,
  paid_at: PAID_AT,
  ...ORDER,
} as const;

const listedCharge = {
  ...charge,
  sub_status: null,
  net_amount: 149.24,
  currency: null,
  crypto_amount: null,
  crypto_received: null,
  description: 'Pedido 1042',
  customer_name: 'Maria da Silva',
  destination: null,
  refunded_amount: 10,
  settled: { gross: 150.75, fees: 1.51, split: 0, refunded: 10, net: 139.24 },
  expires_at: '2026-11-21T12:34:56.789Z',
  scheduled_for: null,
  dispute_state: null,
};

const quote = {
  price: 5.4,
  spread_percent: 0,
  quoted_at: '2026-11-20T12:39:58.120Z',
  sources: [
    { source: 'binance', price: 5.4, at: '2026-11-20T12:39:58.120Z' },
    { source: 'foxbit', price: 5.4, at: '2026-11-20T12:39:58.120Z' },
    { source: 'mercado-bitcoin', price: 5.4, at: '2026-11-20T12:39:58.000Z' },
  ],
};

/**
 * One story, through all examples in turn: a bakery charges, is paid, withdraws, refunds a part,
 * and does the same in crypto.
 */
export const EXAMPLES: OperationExamples = {
  charges: {
    create: {
      idempotencyKey: 'pedido-1042',
      input: {
        amount: 150.75,
        customerName: 'Maria da Silva',
        customerEmail: 'maria@example.com',
        customerDocument: '52998224725',
        customerDocumentType: 'cpf',
        customerPhone: '11987654321',
        description: 'Pedido 1042',
        callbackUrl: 'https://loja.example.com/webhooks/pix',
        ...ORDER,
      },
      output: {
        success: true,
        message: 'Cobrança PIX criada com sucesso',
        data: {
          transaction_id: CHARGE_ID,
          amount: 150.75,
          status: 'pending',
          payment_url: `https://pagamentos.example.com/pay/${CHARGE_ID}`,
          qr_code_svg_url: `https://pagamentos.example.com/pay/${CHARGE_ID}/qr.svg`,
          qr_code_png_url: `https://pagamentos.example.com/pay/${CHARGE_ID}/qr.png`,
          payment_data: {
            qr_code: BR_CODE,
            pix_key: null,
            txid: CHARGE_ID,
            expiration_date: '2026-11-21T12:34:56.789Z',
            reference_code: CHARGE_ID,
          },
          customer: {
            name: 'Maria da Silva',
            email: 'maria@example.com',
            document: '52998224725',
            document_type: 'cpf',
            phone: '11987654321',
          },
          split: null,
          description: 'Pedido 1042',
          callback_url: 'https://loja.example.com/webhooks/pix',
          ...ORDER,
          created_at: CREATED_AT,
        },
      },
      rejected: { invalid_amount: { amount: '150.75' }, invalid_input: { customerEmail: 'maria' } },
    },
  },

  transactions: {
    status: {
      input: { transactionId: CHARGE_ID, type: 'pix_in' },
      output: { success: true, data: charge },
      rejected: { invalid_transaction_type: { type: 'pix' } },
    },
    list: {
      input: { type: 'pix_in,pix_out', status: 'paid', from: '2026-11-01', min_amount: '10', limit: '2' },
      output: {
        success: true,
        data: [
          {
            transaction_id: WITHDRAWAL_ID,
            external_id: WITHDRAWAL_END_TO_END_ID,
            type: 'pix_out',
            status: 'paid',
            sub_status: null,
            amount: 50,
            amount_fees: 0.9,
            net_amount: 50,
            currency: null,
            crypto_amount: null,
            crypto_received: null,
            description: 'Repasse semanal',
            ...NO_ORDER,
            customer_name: null,
            destination: '+55 11 *****-4321',
            refunded_amount: 0,
            settled: { gross: -50, fees: 0.9, split: 0, refunded: 0, net: -50.9 },
            created_at: '2026-11-20T12:36:10.412Z',
            expires_at: null,
            paid_at: '2026-11-20T12:36:10.977Z',
            scheduled_for: null,
            dispute_state: null,
          },
          listedCharge,
        ],
        next_cursor: CHARGE_ID,
      },
      rejected: { invalid_input: { limit: '1000' } },
    },
    get: {
      input: { transactionId: CHARGE_ID },
      output: {
        success: true,
        data: {
          ...listedCharge,
          customer: {
            name: 'Maria da Silva',
            email: 'maria@example.com',
            document: '52998224725',
            document_type: 'cpf',
            phone: '+5511987654321',
          },
          callback_url: 'https://loja.example.com/webhooks/pix',
          split: null,
          pix: { qr_code: BR_CODE, end_to_end_id: END_TO_END_ID, pix_key: null, pix_key_type: null },
          crypto: null,
          failure: null,
          refunds: [
            {
              refund_id: REFUND_ID,
              amount: 10,
              status: 'completed',
              description: 'Troco do pedido 1042',
              ...NO_ORDER,
              created_at: '2026-11-20T12:37:00.004Z',
              finished_at: REFUNDED_AT,
            },
          ],
          reviews: [],
          history: [
            { event: 'pix_in.created', at: CREATED_AT },
            { event: 'pix_in.paid', at: '2026-11-20T12:35:40.310Z' },
            { event: 'pix_in.refunded', at: REFUNDED_AT },
          ],
        },
      },
    },
    refund: {
      idempotencyKey: 'devolucao-pedido-1042',
      input: { transactionId: CHARGE_ID, amount: 10, description: 'Troco do pedido 1042' },
      output: {
        success: true,
        message: 'Devolução solicitada com sucesso',
        data: {
          refund_id: REFUND_ID,
          transaction_id: CHARGE_ID,
          amount: 10,
          status: 'pending',
          ...NO_ORDER,
          created_at: '2026-11-20T12:37:00.004Z',
        },
      },
      rejected: { invalid_amount: { amount: 0 }, invalid_input: { description: 10 } },
    },
    cancel: {
      idempotencyKey: 'cancelamento-pedido-1041',
      input: { transactionId: '01a1f8f6-40d1-7e52-9b1c-2d3e4f506172' },
      output: {
        success: true,
        message: 'Cobrança cancelada com sucesso',
        data: { transaction_id: '01a1f8f6-40d1-7e52-9b1c-2d3e4f506172', status: 'cancelled' },
      },
    },
  },

  events: EVENT_EXAMPLES,
  endpoints: ENDPOINT_EXAMPLES,

  balance: {
    get: {
      input: {},
      output: { success: true, data: { available_balance: 1139.24, pending_balance: 0, blocked_balance: 0 } },
    },
    statement: STATEMENT_EXAMPLE,
  },

  withdrawals: {
    pix: {
      idempotencyKey: 'repasse-semana-47',
      input: { amount: 50, pixKey: '11987654321', pixKeyType: 'PHONE', description: 'Repasse semanal' },
      output: {
        success: true,
        message: 'Saque PIX solicitado com sucesso',
        data: {
          transaction_id: WITHDRAWAL_ID,
          external_id: WITHDRAWAL_ID.replaceAll('-', ''),
          type: 'pix_out',
          status: 'pending',
          amount: 50,
          amount_fees: 0.9,
          amount_total: 50.9,
          pix_key: '+5511987654321',
          pix_key_type: 'PHONE',
          description: 'Repasse semanal',
          ...NO_ORDER,
          created_at: '2026-11-20T12:36:10.412Z',
        },
      },
      rejected: {
        invalid_amount: { amount: 50.001 },
        invalid_input: { pixKey: null },
        invalid_pix_key: { pixKeyType: 'CPF' },
      },
    },
    cancelPix: {
      idempotencyKey: 'cancelamento-repasse-48',
      input: { transactionId: '01a1f8f7-5be2-7c14-8a2d-6e7f80910213' },
      output: {
        success: true,
        message: 'Agendamento cancelado com sucesso',
        data: { transaction_id: '01a1f8f7-5be2-7c14-8a2d-6e7f80910213', status: 'cancelled' },
      },
    },
    crypto: {
      idempotencyKey: 'saque-semana-47',
      input: { amount: 100, wallet: DESTINATION_WALLET, currency: 'USDT_BSC' },
      output: {
        success: true,
        message: 'Saque cripto solicitado com sucesso',
        data: {
          transaction_id: CRYPTO_WITHDRAWAL_ID,
          amount_brl: 100,
          amount_fees: 1.5,
          net_amount_brl: 98.5,
          crypto_amount: 18.24074074,
          currency: 'USDT_BSC',
          wallet: DESTINATION_WALLET,
          status: 'pending',
          ...NO_ORDER,
        },
      },
      rejected: {
        invalid_amount: { amount: '100' },
        wallet_required: { wallet: '' },
        invalid_wallet: { wallet: 7 },
        unsupported_currency: { currency: 7 },
        invalid_memo: { memo: ' ' },
      },
      details: { rail_not_configured: WITHOUT_CURRENCY },
    },
  },

  disputes: DISPUTE_EXAMPLES,

  payees: {
    list: {
      input: {},
      output: {
        success: true,
        data: [
          {
            payee_id: PAYEE_ID,
            label: 'Fornecedor Azul',
            pix_key: '+5511987654321',
            pix_key_type: 'PHONE',
            network: null,
            wallet: null,
            memo: null,
            added_by: 'Maria da Silva',
            added_at: '2026-11-20T12:33:10.512Z',
            usable_from: '2026-11-21T12:33:10.512Z',
            waits: true,
          },
        ],
      },
    },
  },

  deposits: {
    crypto: {
      idempotencyKey: 'pedido-1043',
      input: { amount: 250, currency: 'USDT_TRX', description: 'Pedido 1043', reference: 'pedido-1043' },
      output: {
        success: true,
        message: 'Depósito cripto criado com sucesso',
        data: {
          transaction_id: INVOICE_ID,
          invoice_url: `https://pagamentos.example.com/pay/${INVOICE_ID}`,
          wallet_hash: DEPOSIT_WALLET,
          qr_code: DEPOSIT_WALLET,
          memo: null,
          currency: 'USDT_TRX',
          amount_brl: 250,
          amount_fees: 3.75,
          net_amount: 246.25,
          status: 'pending',
          crypto_amount: 46.296297,
          expires_at: '2026-11-20T13:40:00.000Z',
          description: 'Pedido 1043',
          callback_url: null,
          reference: 'pedido-1043',
          metadata: null,
          qr_code_svg_url: `https://pagamentos.example.com/pay/${INVOICE_ID}/qr.svg`,
          qr_code_png_url: `https://pagamentos.example.com/pay/${INVOICE_ID}/qr.png`,
        },
      },
      rejected: { invalid_amount: { amount: null }, unsupported_currency: { currency: 7 } },
      details: { currency_not_configured: WITHOUT_CURRENCY },
    },
  },

  currencies: {
    list: {
      input: {},
      output: {
        success: true,
        data: [
          {
            currency: 'USDT',
            name: 'Tether (Ethereum)',
            asset: 'USDT',
            network: 'ethereum',
            minimum_deposit: 2,
            is_default: false,
          },
          {
            currency: 'USDT_TRX',
            name: 'Tether (Tron)',
            asset: 'USDT',
            network: 'tron',
            minimum_deposit: 2,
            is_default: true,
          },
        ],
      },
    },
    quote: {
      input: { currency: 'USDT_TRX', side: 'deposit', amount: '250' },
      output: {
        success: true,
        data: {
          currency: 'USDT_TRX',
          side: 'deposit',
          ...quote,
          amount_brl: 250,
          amount_fees: 3.75,
          net_amount_brl: 246.25,
          crypto_amount: 46.296297,
        },
      },
      rejected: { invalid_amount: { amount: '250,00' }, invalid_input: { side: 'in' } },
      params: { above_maximum: { maximum: 'R$ 1.000.000,00' } },
      details: { currency_not_configured: WITHOUT_CURRENCY },
    },
  },

  testClock: TEST_CLOCK_EXAMPLES,

  account: {
    create: {
      idempotencyKey: 'conta-cliente-88',
      input: {
        name: 'Doceria Ângela Ltda.',
        email: 'financeiro@doceria.example.com',
        document: '12.ABC.345/01DE-35',
        documentType: 'cnpj',
        phone: '(11) 3456-7890',
        currency: 'USDT_BSC',
        webhookUrl: 'https://doceria.example.com/webhooks/trilho',
      },
      output: {
        success: true,
        message: 'Conta criada com sucesso',
        data: {
          account_id: CUSTOMER_ACCOUNT_ID,
          name: 'Doceria Ângela Ltda.',
          email: 'financeiro@doceria.example.com',
          document: '12ABC34501DE35',
          kyc_status: 'pending',
          mode: 'test',
          api_key: 'tr_test_…',
          secret_key: 'whsec_…',
        },
      },
      rejected: { invalid_input: { documentType: 'rg' } },
    },
    get: {
      input: {},
      output: {
        success: true,
        data: {
          account_id: '01a1d0c5-1a2b-7c3d-8e4f-5a6b7c8d9e0f',
          name: 'Padaria São José',
          email: 'contato@padaria.example.com',
          document: '12345678909',
          document_type: 'cpf',
          kyc_status: 'approved',
          mode: 'test',
          currency: 'USDT_TRX',
          can_create_accounts: true,
          fees: {
            pix_in: { percent: 1, fixed: 0 },
            pix_out: { percent: 0, fixed: 0.9 },
            crypto_in: { percent: 1.5, fixed: 0 },
            crypto_out: { percent: 1.5, fixed: 0 },
          },
          rails: { pix_in: true, pix_out: true, crypto_in: true, crypto_out: true },
          webhooks: [
            { topic: 'deposit', url: 'https://loja.example.com/webhooks/trilho' },
            { topic: 'withdrawal', url: 'https://loja.example.com/webhooks/trilho' },
            { topic: 'usdt', url: 'https://loja.example.com/webhooks/trilho' },
          ],
          created_at: '2026-11-12T17:03:11.027Z',
        },
      },
    },
    limits: {
      input: {},
      output: {
        success: true,
        data: {
          limits: {
            minimal_value_in_crypto: 20,
            maximal_value_in_crypto: 50000,
            minimal_value_out_crypto: 50,
            maximal_value_out_crypto: 20000,
            daily_limit_out_crypto: 50000,
            minimal_value_in_pix: 1,
            maximal_value_in_pix: null,
            minimal_value_out_pix: 1,
            maximal_value_out_pix: 5000,
            daily_limit_out_pix: 10000,
            night_limit_out_pix: 1000,
          },
          used: { pix_out_today: 50, pix_out_tonight: 0, crypto_out_today: 100 },
          day_ends_at: '2026-11-21T03:00:00.000Z',
          night: null,
        },
      },
    },
  },
};
