import { RECIPE_NAMES } from './recipe-names.ts';

/**
 * The ids of the sections that are prose, in the page's order; each has a title under its name in
 * the messages.
 */
export const SECTIONS = {
  start: [
    'firstSteps',
    'tryIt',
    'libraries',
    'permissions',
    'secrets',
    'amounts',
    'order',
    'errors',
    'errorCodes',
    'failureCodes',
    'warnings',
    'idempotency',
    'rateLimits',
    'versions',
    'changes',
  ],
  recipes: RECIPE_NAMES,
  concepts: ['states', 'splits', 'limits', 'assistants'],
  webhooks: ['webhooks', 'events'],
  sandbox: ['sandbox', 'developing', 'switches'],
} as const;
