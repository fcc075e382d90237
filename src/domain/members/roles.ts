/**
 * What a member is for a merchant. `owner`: everything, members included. `finance`: money, in and
 * out. `developer`: keys, webhooks and the requests of the merchant's systems. `support`: what
 * payers ask about. `viewer`: reads. What each may call is in server/procedures/role-access.ts.
 */
export const ROLES = ['owner', 'finance', 'developer', 'support', 'viewer'] as const;
export type Role = (typeof ROLES)[number];
