import { createTranslator } from 'next-intl';
import { describe, expect, test } from 'vitest';
import { ALL_PERMISSIONS } from '#domain/api-keys/permissions.ts';
import { API_ERROR_CODES } from '#domain/errors/error-catalogue.ts';
import { PAYOUT_FAILURES } from '#domain/withdrawals/payout-failures.ts';
import { messages } from '#messages/messages.ts';
import { reference } from '../reference.ts';
import { SECTIONS } from '../sections.ts';
import { llmsIndex, sectionText, wholeText } from './llms-text.ts';

const t = createTranslator({ locale: 'en', messages: messages.en });
const BASE = 'https://pay.example.com';
const index = llmsIndex(t, BASE);
const whole = wholeText(t, BASE);
/** Returns a text without code and addresses, where braces and angle brackets are meant. */
const proseOf = (text: string) => text.replaceAll(/```[\s\S]*?```|`[^`\n]*`|\/\S+/g, '');

describe('the reference for language models', () => {
  test('has the form of llmstxt.org: one title, a summary, and links under headings', () => {
    expect(index).toMatch(/^# Trilho\n\n> [^\n]+\n\n- /);
    const links = index
      .slice(index.indexOf('\n## '))
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('## '));
    expect(links.filter((line) => !/^- \[[^\]]+\]\(https:[^)\s]+\)(: .+)?$/.test(line))).toEqual([]);
  });

  test('the index names every operation, with its method and path', () => {
    for (const { id, method, path } of reference.operations)
      expect(index).toContain(`${BASE}/docs/${id}.md): \`${method} ${path}\``);
  });

  test('the index has the sections of the page, in its order, but for the form that sends requests', () => {
    const { start, recipes, ...others } = SECTIONS;
    const operations = reference.operations.map(({ id }) => id);
    const page = [...start, ...recipes, ...operations, ...Object.values(others).flat()];
    const linked = [...index.matchAll(/\/docs\/(\w+)\.md\)/g)].map(([, id]) => id);
    expect(linked).toEqual(page.filter((id) => id !== 'tryIt'));
  });

  test('every section that the index links to is there by itself, and in the whole', () => {
    const ids = [...index.matchAll(/\/docs\/(\w+)\.md\)/g)].map(([, id = '']) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) {
      const [title = '', ...text] = (sectionText(t, BASE, id) ?? '').split('\n');
      expect(text.join('\n').trim().length, id).toBeGreaterThan(100);
      expect(whole).toContain(`#${title}\n${text.join('\n').trimEnd()}`);
    }
    expect(sectionText(t, BASE, 'nothing')).toBeNull();
  });

  test('a field that may be null is described as fully as one that may not', () => {
    expect(sectionText(t, BASE, 'replayEvents')).toMatch(/`until` \(date-time \| date or null, optional\): \S/);
    expect(sectionText(t, BASE, 'getTransaction')).toMatch(/`data.dispute_state` \(string or null, .+ values: `open`,/);
  });

  test('the whole says every code and permission, and each operation’s own', () => {
    for (const code of [...API_ERROR_CODES, ...PAYOUT_FAILURES, ...ALL_PERMISSIONS])
      expect(whole).toContain(`\`${code}\``);
    for (const { id, permission, errors } of reference.operations) {
      const text = sectionText(t, BASE, id) ?? '';
      expect(text).toContain(`Permission: ${permission ? `\`${permission}\`` : 'any key'}`);
      for (const { body } of errors) expect(text).toContain(`\`${body.code}\``);
    }
  });

  test('every operation that a text names exists', () => {
    const known = new Set(['POST /mcp', ...reference.operations.map(({ method, path }) => `${method} ${path}`)]);
    const named = [...whole.matchAll(/\b(?:GET|POST) \/[\w/{}-]+/g)].map(([name]) => name);
    expect(named.length).toBeGreaterThan(reference.operations.length);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });

  test('no mark and no placeholder of the catalogue is left in the Markdown', () => {
    expect(proseOf(whole).match(/<\/?\w+>|'?\{\w+\}'?|\bundefined\b|\bdocs\.\w+/g)).toBeNull();
    expect(proseOf('a <c>b<c>').match(/<\/?\w+>/)).not.toBeNull();
  });
});
