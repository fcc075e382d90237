import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const read = (path: string) => readFileSync(join(import.meta.dirname, '..', path), 'utf8');
const { engines, dependencies } = JSON.parse(read('package.json'));
const oldest = /^>=(\d+)$/.exec(engines.node)?.[1];

test('.nvmrc names the Node that the service itself runs on', () => {
  expect(read('.nvmrc').trim()).toBe(dependencies.node.split('.')[0]);
});

test('the workflow and the development container run the oldest Node that is supported', () => {
  expect(JSON.parse(read('.devcontainer/devcontainer.json')).image).toBe(`node:${oldest}-bookworm`);
  expect(read('.github/workflows/test.yml')).toContain(`container: node:${oldest}-bookworm\n`);
});
