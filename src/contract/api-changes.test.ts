import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { messages } from '#messages/messages.ts';
import { API_CHANGES } from './api-changes.ts';
import { API_VERSION, SERVED_VERSIONS } from './api-version.ts';

const document = JSON.parse(readFileSync(join(import.meta.dirname, '../../public/openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, { operationId: string }>>;
  webhooks: object;
};
const ADD = 'Add what is new to api-changes.ts';
const listed = (member: 'operations' | 'events'): string[] =>
  API_CHANGES.flatMap((change) => [...((change as Partial<Record<typeof member, readonly string[]>>)[member] ?? [])]);

test('the list of changes has every operation of the API once', () => {
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
  expect(listed('operations').sort(), ADD).toEqual(operations.map(({ operationId }) => operationId).sort());
});

test('the list of changes has every type of event once', () => {
  expect(listed('events').sort(), ADD).toEqual(Object.keys(document.webhooks).sort());
});

test('every change has a text in every language, and the changes go from the newest back to the day on which the version began', () => {
  for (const { docs } of Object.values(messages))
    expect(Object.keys(docs.changes.texts).sort(), 'docs.changes.texts of src/messages').toEqual(
      API_CHANGES.map(({ id }) => id).sort(),
    );
  const dates = API_CHANGES.map(({ date }) => date);
  expect(dates).toEqual([...dates].sort().reverse());
  expect(dates.at(-1)).toBe(SERVED_VERSIONS.at(-1));
  expect(SERVED_VERSIONS[0]).toBe(API_VERSION);
});
