import type { AuditAcknowledgement, AuditVerification } from '@sluice/server';
import { plainLine } from '../terminal/plain-text.ts';

/** Renders what a verification found, a line each, and how far it reaches. */
export function renderVerification(report: AuditVerification): string {
  const { findings, more_findings: more, put_back, unsealed, last, head } = report;
  const lines = findings.map(({ from, to, text }) => `ordinals ${from}-${to}: ${plainLine(text)}`);
  if (more > 0) lines.push(`… and ${more} more findings.`);
  for (const { from_seal, to_seal, at } of put_back)
    lines.push(`Seals ${from_seal}-${to_seal} are missing on purpose: the database was put back from a copy at ${at}.`);
  lines.push(
    report.intact
      ? `Intact: ${report.entries} entries, ${report.seals} seals.`
      : `NOT INTACT: ${findings.length + more} findings in ${report.entries} entries and ${report.seals} seals.`,
  );
  if (unsealed.entries > 0)
    lines.push(`${unsealed.entries} entries since ${unsealed.since} are not sealed yet: nothing is said of those.`);
  if (head === null)
    lines.push('No head is known on this machine, so a log that was cut off is not noticed: name one with --head.');
  if (last !== null) lines.push(`The head is seal ${last.number} of ${last.sealed_at}, hash ${last.hash}.`);
  return lines.join('\n');
}

export function renderAcknowledgement({ found, known, head }: AuditAcknowledgement): string {
  return `The audit log goes on from seal ${found}, though seal ${known} was known. The head is seal ${head.number}, hash ${head.hash}.`;
}
