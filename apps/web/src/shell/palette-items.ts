import type { IssueSummary, Repo } from '@sluice/client';
import type { Command } from '../commands/command-registry.ts';
import { fuzzyRank } from '../commands/fuzzy-rank.ts';
import { statusWords } from '../format/issue-words.ts';
import { visibleText } from '../format/visible-text.ts';

/** Something that the palette offers. */
interface PaletteItem {
  readonly id: string;
  readonly label: string;
  /** Beside the label: a key, a state. */
  readonly hint: string;
  readonly run: () => void;
}

export interface PaletteGroup {
  readonly title: string;
  readonly items: readonly PaletteItem[];
}

interface PaletteSources {
  readonly commands: readonly Command[];
  /** The issues that the server found, or the newest. */
  readonly issues: readonly Pick<IssueSummary, 'id' | 'title' | 'status'>[];
  readonly repos: readonly Pick<Repo, 'id' | 'name'>[];
  openIssue(id: string): void;
  openRepo(id: string): void;
}

const MAX_COMMANDS = 8;
const MAX_REPOS = 5;

/** The items that match a query, by kind. Without one: all commands and the newest issues. */
export function paletteGroups(query: string, sources: PaletteSources): PaletteGroup[] {
  const { commands, issues, repos, openIssue, openRepo } = sources;
  const isSearch = query.trim() !== '';
  const latest = [...new Map(commands.map((command) => [command.id, command])).values()];
  const offered = latest.filter(({ id }) => id !== 'palette');
  const found = fuzzyRank(offered, query, ({ label, group }) => `${label} ${group}`);
  const groups: PaletteGroup[] = [
    {
      title: 'Commands',
      items: (isSearch ? found.slice(0, MAX_COMMANDS) : found).map(({ id, label, keys = '', run }) => ({
        id,
        label,
        hint: keys,
        run,
      })),
    },
    {
      title: 'Issues',
      items: issues.map(({ id, title, status }) => ({
        id,
        label: visibleText(title),
        hint: statusWords[status],
        run: () => openIssue(id),
      })),
    },
    {
      title: 'Repositories',
      items: (isSearch ? fuzzyRank(repos, query, ({ name }) => name).slice(0, MAX_REPOS) : []).map(({ id, name }) => ({
        id,
        label: visibleText(name),
        hint: '',
        run: () => openRepo(id),
      })),
    },
  ];
  const filled = groups.filter(({ items }) => items.length > 0);
  // The newest issues come first until something is typed: one opens the palette for them more often than for a command.
  return isSearch ? filled : filled.sort((a, b) => Number(b.title === 'Issues') - Number(a.title === 'Issues'));
}
