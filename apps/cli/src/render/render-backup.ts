import type { BackupManifest, BackupReport, RestoreReport } from '@sluice/server';

/** What was saved, and how much of it. */
export function renderBackup({ file, bytes, tables }: BackupReport): string {
  return [`${file} (${bytes} bytes)`, ...rowsOf(tables)].join('\n');
}

/** What every keeper of a backup has to know: that it holds secrets, or which ones it lacks. */
export function aboutSecrets({ secrets }: Pick<BackupManifest, 'secrets'>): string {
  const from = (place: string) => secrets.filter((secret) => secret.from === place).map(({ variable }) => variable);
  const inside = from('secrets.json');
  const outside = from('environment');
  const lines: string[] = [];
  if (inside.length > 0) {
    lines.push(
      `SECRET: the file holds ${inside.join(' and ')} of this installation. Whoever reads it can read every stored token and be anybody: keep it as you keep a password.`,
    );
  }
  if (outside.length > 0) {
    lines.push(
      `NOT IN IT: ${outside.join(' and ')}, which the environment gives. Keep the values yourself: without ENCRYPTION_KEYS no stored token can be read.`,
    );
  }
  return lines.join('\n');
}

/** What was put where. */
export function renderRestore({ data_dir, tables }: RestoreReport): string {
  return [data_dir, ...rowsOf(tables)].join('\n');
}

/** What the person does after a restore. */
export function afterRestore({ kept, secrets, created_at }: RestoreReport): string {
  const outside = secrets.filter(({ from }) => from === 'environment').map(({ variable }) => variable);
  return [
    `Restored as it was at ${created_at}. Start the server: issues that ran then go on from their checkpoints.`,
    ...(outside.length > 0 ? [`Set ${outside.join(' and ')} as then: the backup does not hold them.`] : []),
    ...(kept === null ? [] : [`What was there before is in ${kept}; remove it when you do not need it.`]),
    'Sessions that were ended since the backup are good again until they expire.',
  ].join('\n');
}

function rowsOf(tables: BackupManifest['tables']): string[] {
  const longest = Math.max(...tables.map(({ name }) => name.length));
  const digits = Math.max(...tables.map(({ rows }) => String(rows).length));
  return tables.map(({ name, rows }) => `${name.padEnd(longest)}  ${String(rows).padStart(digits)}`);
}
