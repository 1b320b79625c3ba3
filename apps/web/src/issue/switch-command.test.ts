import { expect, it } from 'vitest';
import { switchCommand } from './switch-command.ts';

it('fetches a branch and switches to it', () => {
  expect(switchCommand('sluice/round-once-1a2b')).toBe(
    'git fetch origin sluice/round-once-1a2b && git switch sluice/round-once-1a2b',
  );
});

it('quotes a name that a shell would take for more than a name', () => {
  expect(switchCommand("a$(id)'b")).toBe(`git fetch origin 'a$(id)'\\''b' && git switch 'a$(id)'\\''b'`);
});
