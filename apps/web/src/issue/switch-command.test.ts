import { expect, it } from 'vitest';
import { switchCommand } from './switch-command.ts';

const hosted = { url: 'https://code.example/acme/shop.git' };

it('fetches a branch and switches to it', () => {
  const command = 'git fetch origin sluice/round-once-1a2b && git switch sluice/round-once-1a2b';
  for (const repo of [hosted, { url: '/srv/git/shop.git' }, undefined])
    expect(switchCommand('sluice/round-once-1a2b', repo)).toBe(command);
});

it.each(['/home/ann/shop', 'file:///home/ann/shop'])('only switches in %s, where the branch is already', (url) => {
  expect(switchCommand('sluice/round-once-1a2b', { url })).toBe('git switch sluice/round-once-1a2b');
});

it('quotes a name that a shell would take for more than a name', () => {
  expect(switchCommand("a$(id)'b", hosted)).toBe(`git fetch origin 'a$(id)'\\''b' && git switch 'a$(id)'\\''b'`);
});
