import type { RotationReport } from '@sluice/server';

/** What is sealed under which key now, and whether the others can go. */
export function renderRotation(report: RotationReport): string {
  const { key, other_keys, codehost_grants, repo_access_tokens, unreadable } = report;
  const lines = [
    `Sealed anew under the key "${key}": ${counted(codehost_grants, 'grant')} of the code host, ${counted(repo_access_tokens, 'repository token')}.`,
  ];
  if (unreadable > 0) {
    lines.push(
      `${counted(unreadable, 'secret')} could not be opened with any of ENCRYPTION_KEYS: put the key back that is missing, and run this again.`,
    );
  } else if (other_keys.length > 0) {
    lines.push(`Nothing is left under ${other_keys.map((id) => `"${id}"`).join(', ')}: take it away.`);
  }
  return lines.join('\n');
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
