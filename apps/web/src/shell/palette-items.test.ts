import { expect, it, vi } from 'vitest';
import type { Command } from '../commands/command-registry.ts';
import { paletteGroups } from './palette-items.ts';

const command = (id: string, label: string): Command => ({ id, label, group: 'Go to', keys: 'g', run: () => {} });
const sources = {
  commands: [
    command('palette', 'Search everything'),
    command('go.inbox', 'Go to the inbox'),
    command('go.repos', 'Go to the repositories'),
  ],
  issues: [{ id: 'i1', title: 'The inbox\u202E is slow', status: 'running' as const }],
  repos: [
    { id: 'r1', name: 'acme/inbox' },
    { id: 'r2', name: 'acme/billing' },
  ],
  openIssue: vi.fn(),
  openRepo: vi.fn(),
};
const shape = (query: string) =>
  paletteGroups(query, sources).map(({ title, items }) => [title, items.map(({ label }) => label)]);

it('offers the newest issues and all commands but its own before anything is typed', () => {
  expect(shape('')).toEqual([
    ['Issues', ['The inbox⟨U+202E⟩ is slow']],
    ['Commands', ['Go to the inbox', 'Go to the repositories']],
  ]);
});

it('finds commands, issues and repositories', () => {
  expect(shape('inbox')).toEqual([
    ['Commands', ['Go to the inbox']],
    ['Issues', ['The inbox⟨U+202E⟩ is slow']],
    ['Repositories', ['acme/inbox']],
  ]);
});

it('offers a command once where a page has replaced it', () => {
  const commands = [command('search', 'Search everything'), command('search', 'Search issues')];
  expect(paletteGroups('search', { ...sources, commands, issues: [], repos: [] })[0]?.items).toMatchObject([
    { label: 'Search issues' },
  ]);
});

it('opens the issue that is picked', () => {
  paletteGroups('', sources)[0]?.items[0]?.run();
  expect(sources.openIssue).toHaveBeenCalledWith('i1');
});
