import { z } from 'zod';
import { currenciesOutput, quoteInput, quoteOutput } from '#contract/quotes/crypto.ts';
import { listCurrencies } from '#services/quotes/list-currencies.ts';
import { previewQuote } from '#services/quotes/preview-quote.ts';
import { encoded } from '../encoded.ts';
import { accountProcedure, router } from '../procedure.ts';
import { presentQuote } from './present-quote.ts';

export const currenciesRouter = router({
  list: accountProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/payments/currencies',
        operationId: 'listCurrencies',
        tags: ['crypto'],
        protect: true,
      },
      rest: { errors: [] },
    })
    .input(z.object({}))
    .output(encoded(currenciesOutput))
    .query(async ({ ctx }) => {
      const currencies = await listCurrencies(ctx.deps, ctx.principal);
      return {
        success: true as const,
        data: currencies.map(({ code, name, asset, network, minimumUnits }) => ({
          currency: code,
          name,
          asset,
          network,
          minimum_deposit: minimumUnits,
          is_default: code === ctx.principal.currency,
        })),
      };
    }),

  quote: accountProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/payments/quote',
        operationId: 'getQuote',
        tags: ['crypto'],
        protect: true,
      },
      rest: {
        errors: [
          'invalid_amount',
          'invalid_input',
          'above_maximum',
          'unsupported_currency',
          'currency_not_configured',
          'quote_unavailable',
        ],
        inputError: (fields) => (fields.has('amount') ? 'invalid_amount' : 'invalid_input'),
      },
    })
    .input(quoteInput)
    .output(encoded(quoteOutput))
    .query(async ({ ctx, input }) => {
      const { conversion, ...quote } = await previewQuote(ctx.deps, ctx.principal, {
        currency: input.currency,
        side: input.side === 'deposit' ? 'in' : 'out',
        amountCentavos: input.amount,
      });
      return {
        success: true as const,
        data: {
          ...presentQuote(quote),
          side: input.side,
          amount_brl: conversion?.amountCentavos ?? null,
          amount_fees: conversion?.feeCentavos ?? null,
          net_amount_brl: conversion?.netCentavos ?? null,
          crypto_amount: conversion?.units ?? null,
        },
      };
    }),
});
