import type { MigrationReport, RotationReport, VacuumReport } from '@sluice/server';
import { counted } from './counted.ts';

/** Renders how many secrets were re-encrypted, and which keys can be removed. */
export function renderRotation(report: RotationReport): string {
  const {
    key,
    other_keys,
    codehost_grants,
    repo_access_tokens,
    notification_secrets,
    notification_urls,
    second_factors,
    unreadable,
    audit_refused,
  } = report;
  const lines = [
    `Re-encrypted with the key "${key}": ${counted(codehost_grants, 'code host token')}, ${counted(repo_access_tokens, 'repository token')}, ${counted(notification_secrets, 'notification secret')}, ${counted(notification_urls, 'notification URL')}, ${counted(second_factors, 'authenticator app')}.`,
  ];
  if (unreadable > 0) {
    lines.push(
      `${counted(unreadable, 'secret')} could not be decrypted with any of ENCRYPTION_KEYS: add the missing key and run this again.`,
    );
  } else if (other_keys.length > 0 && audit_refused === null) {
    lines.push(
      `No secret uses ${other_keys.map((id) => `"${id}"`).join(', ')} any more: remove it from ENCRYPTION_KEYS.`,
    );
  }
  if (audit_refused !== null)
    lines.push(`Keep the old keys: the audit log was not sealed with the new one. ${audit_refused}`);
  return lines.join('\n');
}

/** Renders how much space was freed. */
export function renderVacuum({ data_dir, bytes_before, bytes_after }: VacuumReport): string {
  const mib = (bytes: number) => `${(bytes / 1024 ** 2).toFixed(1)} MiB`;
  return `The database in ${data_dir} takes ${mib(bytes_after)} now; it took ${mib(bytes_before)}.`;
}

/** Renders one applied or pending migration a line. */
export function renderMigration({ database, dry_run, changes }: MigrationReport): string {
  const where = database === 'sqlite' ? 'The SQLite database' : 'The Postgres database';
  if (changes.length === 0) return `${where} is up to date.`;
  const count = counted(changes.length, 'migration');
  const what = dry_run ? `${where} has ${count} pending:` : `${where} is up to date after ${count}:`;
  return [what, ...changes.map((name) => `  ${name}`)].join('\n');
}
