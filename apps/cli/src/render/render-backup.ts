import type { BackupManifest, BackupReport, RestoreReport } from '@sluice/server';

/** Renders the archive's path and size, and the number of rows in each table. */
export function renderBackup({ file, bytes, tables }: BackupReport): string {
  return [`${file} (${bytes} bytes)`, ...renderRows(tables)].join('\n');
}

/** Warns that the backup holds secrets, and names those that it does not hold. */
export function renderSecretsWarning({ secrets }: Pick<BackupManifest, 'secrets'>): string {
  const from = (place: string) => secrets.filter((secret) => secret.from === place).map(({ variable }) => variable);
  const inside = from('secrets.json');
  const outside = from('environment');
  const lines: string[] = [];
  if (inside.length > 0) {
    lines.push(
      `SECRET: the file holds ${inside.join(' and ')} of this installation. With it, anyone can decrypt every stored token and impersonate any user. Store it like a password.`,
    );
  }
  if (outside.length > 0) {
    lines.push(
      `NOT INCLUDED: ${outside.join(' and ')}, set in the environment. Keep a copy of the values: without ENCRYPTION_KEYS no stored token can be decrypted.`,
    );
  }
  return lines.join('\n');
}

/** Renders the restored folder and the number of rows in each table. */
export function renderRestore({ data_dir, tables }: RestoreReport): string {
  return [data_dir, ...renderRows(tables)].join('\n');
}

/** Renders what the operator has to do after a restore. */
export function renderAfterRestore({ kept, secrets, created_at }: RestoreReport): string {
  const outside = secrets.filter(({ from }) => from === 'environment').map(({ variable }) => variable);
  return [
    `Restored the backup of ${created_at}. Start the server: issues that were running continue from their checkpoints.`,
    ...(outside.length > 0
      ? [`Set ${outside.join(' and ')} to the values of that time: the backup does not hold them.`]
      : []),
    ...(kept === null ? [] : [`The previous installation is in ${kept}; remove it when you no longer need it.`]),
    'Sessions that ended after the backup was made are valid again until they expire.',
  ].join('\n');
}

function renderRows(tables: BackupManifest['tables']): string[] {
  const longest = Math.max(...tables.map(({ name }) => name.length));
  const digits = Math.max(...tables.map(({ rows }) => String(rows).length));
  return tables.map(({ name, rows }) => `${name.padEnd(longest)}  ${String(rows).padStart(digits)}`);
}
