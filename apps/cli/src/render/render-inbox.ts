import type { Inbox, InboxIssue, QueuedIssue, WantedIssue } from '@sluice/client';
import { plainLine } from '../terminal/plain-text.ts';
import { type Column, renderColumns, type Sheet } from './render-columns.ts';
import { renderRelative } from './render-time.ts';
import { renderCost } from './render-usage.ts';
import { shortId } from './short-id.ts';

const wantLabels = {
  plan: 'decide on its plan',
  question: 'answer its questions',
  publish: 'decide on publishing',
  failure: 'look at its failure',
} as const satisfies Record<WantedIssue['wants'], string>;

const waiting = {
  slot: 'for a free slot',
  repo: 'for its repository',
  own_limit: 'for another of your issues',
  budget: 'for budget: see `sluice budgets`',
} as const satisfies Record<QueuedIssue['waits_for'], string>;

/** Renders the lists of an inbox below each other, one issue a line; empty lists are left out, but not the first. */
export function renderInbox(inbox: Inbox, sheet: Sheet): string {
  const { needs_you, waits_for_others, running, queued, drafts, done } = inbox;
  return [
    renderList('Needs you', needs_you, { sheet, what: { title: 'WANTED', cell: wantedOf } }),
    renderList('Waits for others', waits_for_others, { sheet, what: { title: 'WANTED', cell: wantedOf } }),
    renderList('Running', running, { sheet, what: { title: 'STAGE', cell: ({ stage }) => stage ?? '' } }),
    renderList('Queued', queued, { sheet, what: { title: 'WAITS', cell: reasonOf } }),
    renderList('Drafts', drafts, { sheet, what: { title: 'FROM', cell: ({ origin }) => origin } }),
    renderList('Done', done, { sheet, what: { title: 'STATUS', cell: ({ status }) => status } }),
  ]
    .filter((text, at) => at === 0 || text !== '')
    .join('\n\n');
}

function renderList<T extends InboxIssue>(
  title: string,
  { items, more }: { readonly items: readonly T[]; readonly more: boolean },
  { sheet, what }: { readonly sheet: Sheet; readonly what: Column<T> },
): string {
  const { style } = sheet;
  if (items.length === 0) return title === 'Needs you' ? `${style('bold', title)}\nnothing` : '';
  const now = new Date();
  const columns: readonly Column<T>[] = [
    { title: 'ID', cell: ({ id }) => shortId(id) },
    what,
    { title: 'TITLE', cell: (issue) => plainLine(issue.title), narrow: 'shorten' },
    { title: 'REPOSITORY', cell: ({ repo_name }) => plainLine(repo_name), narrow: 'shorten' },
    { title: 'SINCE', cell: (issue) => renderRelative(sinceOf(issue), now), plain: sinceOf },
    { title: 'COST', cell: ({ usage }) => renderCost(usage) ?? '', narrow: 'omit' },
  ];
  const list = renderColumns(items, columns, sheet);
  return `${style('bold', title)}\n${list}${more ? `\n${style('dim', 'and more')}` : ''}`;
}

/** The time at which it came into its list, as far as the issue tells. */
function sinceOf(issue: InboxIssue & { readonly since?: string }): string {
  return issue.since ?? issue.finished_at ?? issue.started_at ?? issue.queued_at ?? issue.created_at;
}

function wantedOf({ wants, holds_up: { repo, slot } }: WantedIssue): string {
  const count = repo + slot;
  if (count === 0) return wantLabels[wants];
  return `${wantLabels[wants]} (${count === 1 ? '1 issue waits' : `${count} issues wait`} for it)`;
}

function reasonOf({ waits_for, queue_position }: QueuedIssue): string {
  return queue_position === null ? waiting[waits_for] : `${waiting[waits_for]} (position ${queue_position})`;
}
