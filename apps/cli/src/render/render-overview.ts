import type { SluiceClient } from '@sluice/client';
import { plainLine } from '../terminal/plain-text.ts';
import { renderColumns, type Sheet } from './render-columns.ts';
import { renderTable } from './render-table.ts';
import { renderRelative } from './render-time.ts';
import { shortId } from './short-id.ts';

type Overview = Awaited<ReturnType<SluiceClient['admin']['overview']['query']>>;
type Holder = NonNullable<Overview['slots'][number]['holder']>;
type Worker = Overview['workers'][number];

/** Renders what an operator watches: the queue, the slots, the workers, the readiness and the configuration. */
export function renderOverview(overview: Overview, sheet: Sheet, now = new Date()): string {
  const { style } = sheet;
  const { version, commit, slots, workers, configuration } = overview;
  const held = slots.flatMap(({ holder }) => (holder === null ? [] : [holder]));
  const sections: readonly [title: string, text: string][] = [
    ['Version', commit === null ? version : `${version} (${commit.slice(0, 12)})`],
    ['Readiness', readinessOf(overview)],
    ['Queue', queueOf(overview, now)],
    [`Slots: ${held.length} of ${slots.length} held`, renderHolders(held, sheet, now)],
    ['Workers', workers.length === 0 ? 'none: nothing runs' : renderWorkers(workers, sheet, now)],
    ['Configuration', configuration.length === 0 ? 'all defaults' : renderVariables(configuration, sheet)],
  ];
  return sections
    .map(([title, text]) => (text === '' ? style('bold', title) : `${style('bold', title)}\n${text}`))
    .join('\n\n');
}

function readinessOf({ readiness }: Overview): string {
  return Object.entries(readiness.checks)
    .map(([name, { status, latency_ms }]) => `${name.replaceAll('_', ' ')} ${status} (${latency_ms} ms)`)
    .join(', ');
}

function queueOf({ queue }: Overview, now: Date): string {
  const { waiting_for_slot: slot, waiting_for_repo: repo, oldest_queued_at: oldest } = queue;
  const since = oldest === null ? '' : `, the first queued ${renderRelative(oldest, now)}`;
  return `${count(slot)} for a slot${since}; ${count(repo)} for another issue on the repository`;
}

function count(issues: number): string {
  return issues === 1 ? '1 issue waits' : `${issues} issues wait`;
}

function renderHolders(held: readonly Holder[], sheet: Sheet, now: Date): string {
  if (held.length === 0) return '';
  return renderColumns(
    held,
    [
      { title: 'ISSUE', cell: ({ issue_id }) => shortId(issue_id), plain: ({ issue_id }) => issue_id },
      { title: 'STATUS', cell: ({ status }) => status.replaceAll('_', ' ') },
      { title: 'STAGE', cell: ({ stage }) => stage?.replaceAll('_', ' ') ?? '' },
      { title: 'TITLE', cell: ({ title }) => plainLine(title), narrow: 'shorten' },
      { title: 'OWNER', cell: ownerOf, narrow: 'shorten' },
      {
        title: 'SINCE',
        cell: ({ since }) => (since === null ? '' : renderRelative(since, now)),
        plain: ({ since }) => since ?? '',
      },
    ],
    sheet,
  );
}

function ownerOf({ owner }: Holder): string {
  return plainLine(owner.email ?? owner.codehost_login ?? owner.id);
}

function renderWorkers(workers: readonly Worker[], sheet: Sheet, now: Date): string {
  return renderColumns(
    workers,
    [
      { title: 'HOST', cell: ({ host }) => plainLine(host), narrow: 'shorten' },
      { title: 'PID', cell: ({ pid }) => String(pid) },
      { title: 'ROLE', cell: ({ role }) => role, narrow: 'omit' },
      { title: 'VERSION', cell: ({ version }) => plainLine(version), narrow: 'omit' },
      { title: 'STATE', cell: ({ state }) => state, colour: ({ state }) => (state === 'gone' ? 'red' : 'green') },
      { title: 'SEEN', cell: ({ seen_at }) => renderRelative(seen_at, now), plain: ({ seen_at }) => seen_at },
      { title: 'SANDBOX', cell: sandboxOf, narrow: 'shorten' },
    ],
    sheet,
  );
}

function sandboxOf({ sandbox }: Worker): string {
  if (sandbox === null) return 'not tried yet';
  const { kind, usable, problem, gaps } = sandbox;
  if (!usable) return plainLine(`${kind} cannot run commands: ${problem ?? 'it does not work'}`);
  const name = kind === 'none' ? 'off' : kind;
  return plainLine(gaps.length === 0 ? name : `${name}; ${gaps.join('; ')}`);
}

function renderVariables(variables: Overview['configuration'], { style }: Sheet): string {
  return renderTable(
    variables.map(({ name, value, source, path }) => [
      name,
      value === null ? style('dim', 'set (not shown)') : plainLine(value),
      style('dim', path === null ? source : `${source} ${plainLine(path)}`),
    ]),
  );
}
