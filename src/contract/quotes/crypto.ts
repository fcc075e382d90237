import { z } from 'zod';
import { INVOICE_EXPIRES_IN } from '#domain/charges/expires-in.ts';
import { readBrl, toBrl } from '#domain/values/money.ts';
import { URL_LENGTH_MAX } from '#domain/webhooks/callback-url.ts';
import { BRL_RANGE, brlOutput, percentOutput, rangedBrlInput, unitsOutput } from '../amounts.ts';
import { CUSTOMER_FIELDS, checkCustomerDocument, readCustomer } from '../charges/customer.ts';
import { expiresInInput } from '../charges/expires-in-input.ts';
import { optional, reject } from '../codecs.ts';
import { filledTextInput, instantOutput, textInput } from '../fields.ts';
import { choiceOf, issue } from '../issues/issue-message.ts';
import { DESCRIPTION_LENGTH_MAX } from '../lengths.ts';
import { named } from '../named.ts';
import { optionalParameter } from '../query-fields.ts';
import {
  checkMerchantFields,
  MERCHANT_FIELDS,
  MERCHANT_FIELDS_OUTPUT,
  readMerchantFields,
} from '../transactions/merchant-fields.ts';
import { approvalSubStatus } from '../withdrawals/pix-withdrawal.ts';
import { priceSource } from './price-source.ts';

/**
 * The longest address of any network we send to has 62 characters (bech32m); a longer text is none.
 */
const WALLET_LENGTH_MAX = 128;
const CURRENCY_LENGTH_MAX = 20;
const MEMO_LENGTH_MAX = 120;

/**
 * The service looks the code up: one that is not offered has an error of its own, which comes in
 * the order of the service's checks.
 */
const currencyInput = optional(textInput(CURRENCY_LENGTH_MAX)).describe(
  'Código da moeda, ex.: USDT_BSC, em maiúsculas ou minúsculas; sem ele vale a moeda configurada na conta. Veja GET /payments/currencies.',
);

/** POST /payments/deposits/crypto */
export const cryptoDepositInput = z
  .object({
    amount: rangedBrlInput,
    currency: currencyInput,
    description: optional(textInput(DESCRIPTION_LENGTH_MAX)).describe('Texto livre; aparece na página de pagamento.'),
    callbackUrl: optional(textInput(URL_LENGTH_MAX)).describe(
      'URL https que recebe as mudanças de status deste depósito; sem ela vale o webhook da conta.',
    ),
    expiresIn: expiresInInput(
      INVOICE_EXPIRES_IN,
      'Em quantos segundos a cotação deixa de valer, contados em minutos inteiros: de 60 até o prazo da instalação, de uma hora por padrão, que vale sem ele.',
    ),
    ...MERCHANT_FIELDS,
    ...CUSTOMER_FIELDS,
  })
  .check(checkCustomerDocument, checkMerchantFields)
  .transform((fields, payload) => {
    const { amount, currency, description, callbackUrl } = fields;
    const { customer } = readCustomer(fields, payload);
    return {
      ...{ amount, currency, description, callbackUrl, customer },
      expiresInSeconds: fields.expiresIn,
      merchantFields: readMerchantFields(fields),
    };
  });

export const cryptoDepositOutput = z.object({
  success: z.literal(true),
  message: z.string(),
  data: named(
    'CryptoDeposit',
    z.object({
      transaction_id: z.uuid(),
      invoice_url: z.string().describe('Página de pagamento, para onde o pagador é levado.'),
      wallet_hash: z.string().nullable().describe('Carteira para pagamento direto.'),
      qr_code: z.string().nullable().describe('Conteúdo do QR code.'),
      memo: z.string().nullable().describe('Memo que o pagamento precisa levar, nas redes que usam um.'),
      currency: z.string(),
      amount_brl: brlOutput.describe('Valor pedido, em reais.'),
      amount_fees: brlOutput.describe('Tarifa, em reais.'),
      net_amount: brlOutput.describe('O que entra no saldo depois da confirmação, em reais.'),
      status: z.literal('pending'),
      crypto_amount: unitsOutput.describe('Quanto o pagador envia, na moeda, com até 8 casas decimais.'),
      expires_at: instantOutput.describe('Até quando se pode pagar por esta cotação.'),
      description: z.string().nullable(),
      callback_url: z.string().nullable().describe('A callbackUrl deste depósito; null: vale o webhook da conta.'),
      ...MERCHANT_FIELDS_OUTPUT,
      qr_code_svg_url: z
        .string()
        .nullable()
        .describe('Imagem SVG do QR code, enquanto se pode pagar; depois, 410. null sem wallet_hash.'),
      qr_code_png_url: z.string().nullable().describe('A mesma imagem, em PNG.'),
    }),
  ),
});

/** An address and its memo, as they are typed; the service reads them by the network. */
export const WALLET_FIELDS = {
  wallet: filledTextInput(WALLET_LENGTH_MAX)
    .transform((text) => text.trim())
    .describe('Endereço de destino, na rede da moeda.'),
  memo: optional(filledTextInput(MEMO_LENGTH_MAX)).describe('Memo do destino, nas redes que usam um.'),
};

/** POST /payments/transfers/crypto; `memo` is ours, for networks that need one. */
export const cryptoWithdrawalInput = z
  .object({
    amount: rangedBrlInput,
    wallet: WALLET_FIELDS.wallet,
    currency: currencyInput,
    memo: WALLET_FIELDS.memo,
    ...MERCHANT_FIELDS,
  })
  .check(checkMerchantFields)
  .transform(({ amount, wallet, currency, memo, ...fields }) => ({
    amount,
    wallet,
    currency,
    memo,
    merchantFields: readMerchantFields(fields),
  }));

export const cryptoWithdrawalOutput = z.object({
  success: z.literal(true),
  message: z.string(),
  data: named(
    'CryptoWithdrawal',
    z.object({
      transaction_id: z.uuid(),
      amount_brl: brlOutput.describe('Valor pedido, em reais; sai inteiro do saldo.'),
      amount_fees: brlOutput.describe('Tarifa, em reais; descontada de amount_brl.'),
      net_amount_brl: brlOutput.describe('Valor depois da tarifa, em reais.'),
      crypto_amount: unitsOutput.describe(
        'Quantidade enviada, com até 8 casas decimais; de um saque que espera aprovação, recalculada quando é aprovado.',
      ),
      currency: z.string(),
      wallet: z.string(),
      status: named('CryptoWithdrawalStatus', z.enum(['pending', 'completed'])),
      sub_status: approvalSubStatus,
      ...MERCHANT_FIELDS_OUTPUT,
    }),
  ),
});

/** GET /payments/currencies */
export const currenciesOutput = z.object({
  success: z.literal(true),
  data: z.array(
    named(
      'Currency',
      z.object({
        currency: z.string(),
        name: z.string(),
        asset: z.string().describe('O ativo que é cotado, ex.: USDT.'),
        network: z.string().describe('A rede em que é enviado, ex.: tron.'),
        minimum_deposit: unitsOutput.meta({ description: 'Menor depósito aceito pela rede, na própria moeda.' }),
        is_default: z.boolean().meta({ description: 'Se é a moeda configurada na conta.' }),
      }),
    ),
  ),
});

const SIDE_ISSUE = issue('not_one_of', choiceOf(['deposit', 'withdrawal']));

/** GET /payments/quote */
export const quoteInput = z.object({
  currency: currencyInput,
  side: named('QuoteSide', z.enum(['deposit', 'withdrawal'], { error: SIDE_ISSUE }))
    .default('deposit')
    .describe('De um depósito (deposit) ou de um saque (withdrawal).'),
  amount: optionalParameter(
    z
      .codec(
        z
          .string({ error: issue('not_reais') })
          .regex(/^\d{1,12}(\.\d{1,2})?$/, { error: issue('not_reais_with_decimals') }),
        z.bigint(),
        {
          decode(text, payload) {
            const centavos = readBrl(Number(text));
            return centavos !== null && centavos > 0n ? centavos : reject(payload, issue('not_amount'));
          },
          encode: (centavos) => String(toBrl(centavos)),
        },
      )
      .meta({ description: 'Valor a converter, em reais.', override: { type: 'number', ...BRL_RANGE } }),
  ),
});

export const quoteOutput = z.object({
  success: z.literal(true),
  data: named(
    'Quote',
    z.object({
      currency: z.string(),
      side: named('QuoteSide', z.enum(['deposit', 'withdrawal'])),
      price: unitsOutput.meta({ description: 'Preço de uma unidade em reais, com o spread da conta.' }),
      spread_percent: percentOutput.describe('Spread da conta, em porcentagem.'),
      quoted_at: instantOutput,
      sources: z.array(priceSource).describe('De onde vem o preço, que é a mediana das fontes, sem o spread.'),
      amount_brl: brlOutput.nullable().describe('O amount pedido; null, como os seguintes, sem ele.'),
      amount_fees: brlOutput.nullable().describe('Tarifa, em reais.'),
      net_amount_brl: brlOutput.nullable().describe('Valor depois da tarifa, em reais.'),
      crypto_amount: unitsOutput.nullable().describe('Quanto o pagador enviaria, ou quanto seria enviado à carteira.'),
    }),
  ),
});
