import { z } from 'zod';
import { brlOutput } from '../amounts.ts';
import { named } from '../named.ts';

/** Another account's part of a charge. */
export const split = named('Split', z.object({ account_id: z.uuid(), amount: brlOutput }));
