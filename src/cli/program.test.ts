import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { createProgram } from './program.ts';

const leaves = (command: Command, path: string[] = []): { path: string; command: Command }[] =>
  command.commands.length === 0
    ? [{ path: path.join(' '), command }]
    : command.commands.flatMap((child) => leaves(child, [...path, child.name()]));

test('every command has a description of itself and of its options, and takes --json', () => {
  const commands = leaves(createProgram());
  expect(commands.length).toBeGreaterThan(15);
  for (const { path, command } of commands) {
    expect(command.description(), path).not.toBe('');
    for (const option of command.options) expect(option.description, `${path} ${option.flags}`).not.toBe('');
    expect(command.helpInformation(), path).toContain('--json');
  }
});
