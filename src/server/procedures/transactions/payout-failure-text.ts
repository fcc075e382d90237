import { isPayoutFailure } from '#domain/withdrawals/payout-failures.ts';
import { messages } from '#messages/messages.ts';

const TEXTS = messages['pt-BR'].panel.transactions.failures;

/** The Portuguese sentence for a failure's code; a general one for an unknown code. */
export const payoutFailureText = (code: string): string => TEXTS[isPayoutFailure(code) ? code : 'other'];
