import { z } from 'zod';
import { SIGN_UP_POLICIES } from '#domain/members/sign-up-policy.ts';
import { TRANSACTION_TYPES } from '#domain/transactions/transaction-states.ts';
import { instantOutput } from '../fields.ts';
import { reasonInput } from './accounts.ts';

const rail = z.enum(TRANSACTION_TYPES);

export const closeRailInput = z.object({ rail, reason: reasonInput });
export const openRailInput = z.object({ rail });
export const signUpPolicyInput = z.object({ sign_up: z.enum(SIGN_UP_POLICIES) });

/** The settings that hold for every account of the installation. */
export const installationOutput = z.object({
  rails: z.array(
    z.object({
      rail,
      /** Null: it is on. */
      closed: z.object({ reason: z.string(), by: z.string(), at: instantOutput }).nullable(),
    }),
  ),
  sign_up: z.enum(SIGN_UP_POLICIES),
});

export type InstallationRail = z.input<typeof installationOutput>['rails'][number];
