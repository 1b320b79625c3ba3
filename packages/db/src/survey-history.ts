import { isTerminal, milestoneEvents, nextStatus, statusesWhere } from '@sluice/core/issue';
import { and, desc, eq, inArray, max, min, sql } from 'drizzle-orm';
import type { Database } from './engine/database.ts';
import { isVisible } from './removal/is-visible.ts';

/**
 * The size of the history of issues, estimated from a sample; in bytes. Not that of removed repositories, which is
 * going.
 */
export interface HistorySurvey {
  readonly events: number;
  readonly journals: number;
  readonly commandOutput: number;
  /** What EVENT_RETENTION of so many days would delete of them today. */
  readonly savings: readonly { readonly days: number; readonly bytes: number }[];
}

const RETENTIONS = [30, 90, 365];
const DAY_MS = 86_400_000;
/** Rows that are read of each table, by key: some milliseconds, however large it is. */
const SAMPLE = 1_000;
const SAMPLE_OF_ISSUES = 100; // each takes two reads
const SAMPLE_OF_CHUNKS = 20;
/** A row's other columns and its places in indexes. */
const ROW_BYTES = 150;

/** A sampled part of the history: what it stands for, and when its issue ended if retention may delete it. */
interface Part {
  readonly bytes: number;
  readonly deletableSince: Date | null;
}

const withoutRetry = statusesWhere((status) => isTerminal(status) && nextStatus(status, 'retried') === null);

export async function surveyHistory(database: Pick<Database, 'read' | 'tables'>, now: Date): Promise<HistorySurvey> {
  const [events, journals, output] = [
    await eventParts(database),
    await journalParts(database),
    await outputParts(database),
  ];
  const sumOf = (parts: readonly Part[]) => Math.round(parts.reduce((sum, { bytes }) => sum + bytes, 0));
  const all = [...events, ...journals, ...output];
  return {
    events: sumOf(events),
    journals: sumOf(journals),
    commandOutput: sumOf(output),
    savings: RETENTIONS.map((days) => {
      const before = new Date(now.getTime() - days * DAY_MS);
      return {
        days,
        bytes: sumOf(all.filter(({ deletableSince }) => deletableSince !== null && deletableSince < before)),
      };
    }),
  };
}

async function eventParts(database: Pick<Database, 'read' | 'tables'>): Promise<Part[]> {
  const { read, tables } = database;
  const { events, issues } = tables;
  const [ends] = await read.select({ first: min(events.ordinal), last: max(events.ordinal) }).from(events);
  const { ordinals, weight } = spread(ends, SAMPLE);
  const rows = await read
    .select({ bytes: bytesOf(events.data), type: events.type, endedAt: issues.finishedAt })
    .from(events)
    .innerJoin(issues, eq(issues.id, events.issueId))
    .where(and(inArray(events.ordinal, ordinals), isVisible(database, read)));
  const kept: readonly string[] = milestoneEvents;
  return rows.map(({ bytes, type, endedAt }) => ({
    bytes: (bytes + ROW_BYTES) * weight,
    deletableSince: kept.includes(type) ? null : endedAt,
  }));
}

async function journalParts(database: Pick<Database, 'read' | 'tables'>): Promise<Part[]> {
  const { read, tables } = database;
  const { journalEntries: entries, issues } = tables;
  const [ends] = await read.select({ first: min(entries.ordinal), last: max(entries.ordinal) }).from(entries);
  const { ordinals, weight } = spread(ends, SAMPLE);
  const rows = await read
    .select({ bytes: bytesOf(entries.entry), status: issues.status, endedAt: issues.finishedAt })
    .from(entries)
    .innerJoin(issues, eq(issues.id, entries.issueId))
    .where(and(inArray(entries.ordinal, ordinals), isVisible(database, read)));
  return rows.map(({ bytes, status, endedAt }) => ({
    bytes: (bytes + ROW_BYTES) * weight,
    deletableSince: withoutRetry.includes(status) ? endedAt : null,
  }));
}

/** The output is numbered by issue, so issues are sampled. */
async function outputParts(database: Pick<Database, 'read' | 'tables'>): Promise<Part[]> {
  const { read, tables } = database;
  const { commandLog, issues } = tables;
  const [ends] = await read.select({ first: min(issues.ordinal), last: max(issues.ordinal) }).from(issues);
  const { ordinals, weight } = spread(ends, SAMPLE_OF_ISSUES);
  const sampled = await read
    .select({ id: issues.id, endedAt: issues.finishedAt })
    .from(issues)
    .where(and(inArray(issues.ordinal, ordinals), isVisible(database, read)));
  const parts: Part[] = [];
  for (const { id, endedAt } of sampled) {
    const chunks = await read
      .select({ seq: commandLog.seq, bytes: bytesOf(commandLog.text) })
      .from(commandLog)
      .where(eq(commandLog.issueId, id))
      .orderBy(desc(commandLog.seq))
      .limit(SAMPLE_OF_CHUNKS);
    const bytes = chunks.reduce((sum, chunk) => sum + chunk.bytes + ROW_BYTES, 0);
    const count = chunks[0]?.seq ?? 0; // they are numbered from 1
    if (count > 0) parts.push({ bytes: (bytes / chunks.length) * count * weight, deletableSince: endedAt });
  }
  return parts;
}

/** Up to `count` ordinals at even distances, and how many each stands for. Those of deleted rows stand for deleted rows. */
function spread(ends: { first: number | null; last: number | null } | undefined, count: number) {
  const { first, last } = { first: ends?.first ?? 1, last: ends?.last ?? 0 };
  const span = last - first + 1;
  const length = Math.min(span, count);
  const weight = span / length;
  return { ordinals: Array.from({ length }, (_, index) => first + Math.floor(index * weight)), weight };
}

function bytesOf(column: Parameters<typeof eq>[0]) {
  return sql<number>`octet_length(cast(${column} as text))`.mapWith(Number);
}
