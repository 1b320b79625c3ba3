import type { AuditAcknowledgement, AuditVerification } from '@sluice/server';
import { plainLine } from '../terminal/plain-text.ts';
import { counted } from './counted.ts';

/** Renders what a verification found, a line each, and how far it reaches. */
export function renderVerification(report: AuditVerification): string {
  const { findings, more_findings: more, put_back, unsealed, last, head } = report;
  const lines = findings.map(({ from, to, text }) => `${ranged('ordinal', from, to)}: ${plainLine(text)}`);
  if (more > 0) lines.push(`… and ${counted(more, 'more finding')}.`);
  for (const { from_seal: from, to_seal: to, at } of put_back) {
    const missing = `${ranged('Seal', from, to)} ${from === to ? 'is' : 'are'} missing on purpose`;
    lines.push(`${missing}: at ${at} it was recorded that the database had been put back from a copy.`);
  }
  const all = `${counted(report.entries, 'entry', 'entries')}, ${counted(report.seals, 'seal')}`;
  lines.push(
    report.intact ? `Intact: ${all}.` : `NOT INTACT: ${counted(findings.length + more, 'finding')} in ${all}.`,
  );
  if (unsealed.entries > 0) {
    const entries = counted(unsealed.entries, 'entry', 'entries');
    lines.push(`Not sealed yet, so not checked: ${entries} since ${unsealed.since}.`);
  }
  if (head === null)
    lines.push('No head is known on this machine, so a log that was cut off is not noticed: name one with --head.');
  if (last !== null) lines.push(`The head is seal ${last.number} of ${last.sealed_at}, hash ${last.hash}.`);
  return lines.join('\n');
}

/** Renders from which seal the log goes on. */
export function renderAcknowledgement({ found, known, head }: AuditAcknowledgement): string {
  return `The audit log goes on from seal ${found}, though seal ${known} was known. The head is seal ${head.number}, hash ${head.hash}.`;
}

function ranged(noun: string, from: number, to: number): string {
  return from === to ? `${noun} ${from}` : `${noun}s ${from}-${to}`;
}
