import type { Config } from '../config/parse-config.ts';
import { type Finding, warning } from './finding.ts';

/**
 * Whether jobs wait in the queue that no worker takes.
 *
 * @param untaken jobs that have been due for more than 30 s; null if unknown or there is no queue
 */
export function queueFindings(untaken: number | null): Finding[] {
  if (untaken === null || untaken === 0) return [];
  const jobs = untaken === 1 ? '1 job has been' : `${untaken} jobs have been`;
  const detail = `${jobs} due for more than 30 s and no worker takes ${untaken === 1 ? 'it' : 'them'}`;
  const fix =
    'start a process with ROLE=worker or ROLE=all; where one runs, it may be full (start another one) or not ready (its log says why; restart it)';
  return [warning('job queue', detail, fix)];
}

const SUBJECT = 'slots';

/**
 * Whether one account can take all slots, and whether undecided issues have held slots for long.
 *
 * @param found null if unknown
 */
export function slotFindings(
  { maxActivePipelinesPerUser, gateKeepsSlot }: Pick<Config, 'maxActivePipelinesPerUser' | 'gateKeepsSlot'>,
  found: { readonly accounts: number; readonly longAtGate: number } | null,
): Finding[] {
  if (found === null) return [];
  const { accounts, longAtGate } = found;
  const findings: Finding[] = [];
  if (accounts > 1 && maxActivePipelinesPerUser === null) {
    const detail = `${accounts} accounts share the slots, and one account can take all of them`;
    findings.push(warning(SUBJECT, detail, 'set MAX_ACTIVE_PIPELINES_PER_USER=3'));
  }
  if (accounts > 1 && gateKeepsSlot) {
    const detail = `${accounts} accounts share the slots, and an issue that waits at a gate keeps its slot`;
    findings.push(warning(SUBJECT, detail, 'set GATE_KEEPS_SLOT=off'));
  }
  if (longAtGate > 0) {
    const issues = longAtGate === 1 ? '1 issue has' : `${longAtGate} issues have`;
    const detail = `${issues} held a slot at a gate for more than a day`;
    findings.push(warning(SUBJECT, detail, 'ask their users to decide, or set GATE_KEEPS_SLOT=off'));
  }
  return findings;
}
