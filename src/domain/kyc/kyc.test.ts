import { expect, test } from 'vitest';
import { missingDocuments } from './kyc.ts';

test('what is missing is reported in the order in which it is asked for', () => {
  expect(missingDocuments('company', [])).toEqual(['company', 'identity', 'address']);
  expect(missingDocuments('company', ['identity', 'selfie'])).toEqual(['company', 'address']);
  expect(missingDocuments('person', ['selfie', 'address', 'identity'])).toEqual([]);
});
