import type { Config } from '../config/parse-config.ts';
import { type Finding, warning } from './finding.ts';

const SUBJECT = 'slots';

/**
 * Whether one account can keep the others from working, and whether issues hold slots that nobody has decided for long.
 *
 * @param found null where that is not known
 */
export function slotFindings(
  { maxActivePipelinesPerUser, gateKeepsSlot }: Pick<Config, 'maxActivePipelinesPerUser' | 'gateKeepsSlot'>,
  found: { readonly accounts: number; readonly longAtGate: number } | null,
): Finding[] {
  if (found === null) return [];
  const { accounts, longAtGate } = found;
  const findings: Finding[] = [];
  if (accounts > 1 && maxActivePipelinesPerUser === null) {
    const detail = `${accounts} accounts share them, and one account may hold all`;
    findings.push(warning(SUBJECT, detail, 'set MAX_ACTIVE_PIPELINES_PER_USER=3'));
  }
  if (accounts > 1 && gateKeepsSlot) {
    const detail = `${accounts} accounts share them, and an issue that waits for a person keeps its own`;
    findings.push(warning(SUBJECT, detail, 'set GATE_KEEPS_SLOT=off'));
  }
  if (longAtGate > 0) {
    const issues = longAtGate === 1 ? '1 issue has' : `${longAtGate} issues have`;
    const detail = `${issues} held a slot for more than a day while nobody decided`;
    findings.push(warning(SUBJECT, detail, 'ask their users to decide, or set GATE_KEEPS_SLOT=off'));
  }
  return findings;
}
