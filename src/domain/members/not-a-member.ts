/**
 * Why a message was given up whose recipient had been removed from the business: sent again, it
 * would be given up again.
 */
export const NOT_A_MEMBER = 'not_a_member';
