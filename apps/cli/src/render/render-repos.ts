import type { RegisteredRepo } from '@sluice/client';
import type { RepoWire } from '@sluice/core/repo';
import { plainLine, plainText } from '../terminal/plain-text.ts';
import type { Style } from '../terminal/style.ts';
import { renderColumns, type Sheet } from './render-columns.ts';
import { renderTable } from './render-table.ts';
import { shortId } from './short-id.ts';

/** Renders one repository a line. */
export function renderRepos(repos: readonly RepoWire[], sheet: Sheet): string {
  if (repos.length === 0) return sheet.page.isTerminal ? 'No repositories.' : '';
  return renderColumns(
    repos,
    [
      { title: 'ID', cell: ({ id }) => shortId(id) },
      { title: 'NAME', cell: ({ name }) => plainLine(name), colour: () => 'bold' },
      {
        title: 'ACTIVE ISSUE',
        cell: ({ active_issue_id: id }) => (id === null ? '' : `issue ${shortId(id)}`),
        colour: () => 'cyan',
      },
      { title: 'ADDRESS', cell: ({ url }) => plainLine(url), colour: () => 'dim', narrow: 'shorten' },
    ],
    sheet,
  );
}

export function renderRepo(repo: RepoWire, style: Style): string {
  const { index, settings } = repo;
  const on = Object.entries(settings).flatMap(([name, value]) => {
    if (typeof value === 'boolean') return value ? [name] : [];
    const text = String(value ?? '');
    return text === '' ? [] : [`${name}=${plainLine(text)}`];
  });
  return renderTable([
    ['Repository', repo.id],
    ['Name', style('bold', plainLine(repo.name))],
    ['Your role', repo.role],
    ['Address', plainLine(repo.url)],
    ['Branch', plainLine(repo.default_branch)],
    ['Setup', command(repo.setup_command)],
    ['Tests', command(repo.test_command)],
    ['Settings', on.length === 0 ? 'none' : on.join(', ')],
    ['Index', index === null ? 'not built yet' : `${index.files} files, ${index.chunks} chunks, ${index.updated_at}`],
    ['Active issue', repo.active_issue_id ?? 'none'],
    ...(repo.instructions === null ? [] : [['Instructions', plainText(repo.instructions)]]),
  ]);
}

function command(text: string | null): string {
  return text === null ? 'detected from its files' : plainLine(text);
}

interface CodeHostRepo {
  readonly full_name: string;
  readonly private: boolean;
  readonly description: string | null;
  readonly registered_repo_id: string | null;
}

/** Renders one repository of the code host a line. */
export function renderCodeHostRepos(repos: readonly CodeHostRepo[], sheet: Sheet): string {
  if (repos.length === 0) return sheet.page.isTerminal ? 'No repositories.' : '';
  return renderColumns(
    repos,
    [
      { title: 'NAME', cell: (repo) => plainLine(repo.full_name), colour: () => 'bold' },
      { title: 'ACCESS', cell: (repo) => (repo.private ? 'private' : ''), colour: () => 'yellow' },
      {
        title: 'ADDED',
        cell: ({ registered_repo_id: id }) => (id === null ? '' : `added as ${shortId(id)}`),
        colour: () => 'green',
      },
      {
        title: 'DESCRIPTION',
        cell: ({ description }) => plainLine(description ?? ''),
        colour: () => 'dim',
        narrow: 'shorten',
      },
    ],
    sheet,
  );
}

interface CodeHit {
  readonly path: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly symbol: string | null;
  readonly text: string;
}

const MAX_LINES = 12;

/** Renders search results, best first, with the first lines of each. */
export function renderHits(hits: readonly CodeHit[], style: Style): string {
  if (hits.length === 0) return 'No results.';
  return hits
    .map(({ path, start_line, end_line, symbol, text }) => {
      const lines = plainText(text).trimEnd().split('\n');
      const left = lines.length - MAX_LINES;
      const shown = lines.slice(0, MAX_LINES).map((line) => `  ${line}`);
      if (left > 0) shown.push(style('dim', `  … ${left} more line${left === 1 ? '' : 's'}`));
      const named = symbol === null ? '' : `  ${style('bold', plainLine(symbol))}`;
      return [`${style('cyan', `${plainLine(path)}:${start_line}-${end_line}`)}${named}`, ...shown].join('\n');
    })
    .join('\n\n');
}

/** Renders one repository of any user a line, for an operator. */
export function renderRegisteredRepos(repos: readonly RegisteredRepo[], sheet: Sheet): string {
  if (repos.length === 0) return sheet.page.isTerminal ? 'No repositories.' : '';
  return renderColumns(
    repos,
    [
      { title: 'ID', cell: ({ id }) => id },
      { title: 'NAME', cell: ({ name }) => plainLine(name), colour: () => 'bold', narrow: 'shorten' },
      {
        title: 'REGISTERED BY',
        cell: ({ registrant: by }) => plainLine(by.email ?? by.codehost_login ?? by.name ?? by.id),
      },
      { title: 'STATE', cell: ({ registrant }) => (registrant.disabled ? 'disabled' : ''), colour: () => 'red' },
      { title: 'MEMBERS', cell: ({ members }) => String(members) },
      { title: 'LAST ACTIVITY', cell: ({ last_activity_at: at }) => at.slice(0, 16).replace('T', ' ') },
    ],
    sheet,
  );
}
