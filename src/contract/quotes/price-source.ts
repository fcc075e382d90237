import { z } from 'zod';
import { unitsOutput } from '../amounts.ts';
import { instantOutput } from '../fields.ts';
import { named } from '../named.ts';

/** One market's price of a currency, in reais. */
export const priceSource = named(
  'PriceSource',
  z.object({ source: z.string(), price: unitsOutput, at: instantOutput }),
);
