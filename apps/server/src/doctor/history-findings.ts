import type { InstallationSurvey } from '../compose/admin-storage.ts';
import type { Config } from '../config/parse-config.ts';
import { type Finding, ok, warning } from './finding.ts';

const SUBJECT = 'history';
const MIB = 1024 ** 2;
/** The size below which there is nothing to advise. */
const MUCH = 1_024 * MIB;
/** Shorter than most wish to look back: named with what it saves, but not advised. */
const ADVISED_DAYS = 90;
/** The share of the history that a retention has to save to be advised. */
const WORTHWHILE = 0.1;

/**
 * The size of events, journals and command output, and what EVENT_RETENTION would save. @param found null if unknown
 */
export function historyFindings(
  { eventRetentionMs }: Pick<Config, 'eventRetentionMs'>,
  found: Pick<InstallationSurvey, 'history'> | null,
): Finding[] {
  const history = found?.history ?? null;
  if (history === null) return [];
  const { events, journals, commandOutput, savings } = history;
  const taken = `events take about ${mib(events)}, journals ${mib(journals)}, command output ${mib(commandOutput)}`;
  if (eventRetentionMs !== null) return [ok(SUBJECT, taken)];
  const saved = savings.map(({ days, bytes }) => `${mib(bytes)} with EVENT_RETENTION=${days}d`);
  const detail = `${taken}; deleted today would be ${saved.join(', ')}`;
  const advised = savings.find(({ days }) => days === ADVISED_DAYS)?.bytes ?? 0;
  const all = events + journals + commandOutput;
  if (all < MUCH || advised < all * WORTHWHILE) return [ok(SUBJECT, detail)];
  return [warning(SUBJECT, detail, `set EVENT_RETENTION=${ADVISED_DAYS}d, or keep it: nothing else depends on it`)];
}

function mib(bytes: number): string {
  return `${Math.round(bytes / MIB)} MiB`;
}
