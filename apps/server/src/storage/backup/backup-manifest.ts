import * as z from 'zod';

/** Raised when an older Sluice could not restore what this one writes, though its database would do. */
export const BACKUP_FORMAT = 1;

/** What a backup says of itself, as the first file in it. */
export const backupManifest = z.object({
  format: z.literal(BACKUP_FORMAT),
  sluice_version: z.string(),
  created_at: z.iso.datetime(),
  /** The changes of the database that it has. */
  changes: z.array(z.string()).min(1),
  tables: z.array(z.object({ name: z.string(), rows: z.int() })),
  /** Where each secret was; one of the environment is not in the backup. */
  secrets: z.array(
    z.object({
      variable: z.enum(['SESSION_SECRET', 'ENCRYPTION_KEYS']),
      from: z.enum(['environment', 'secrets.json']).nullable(),
    }),
  ),
  files: z.array(
    z.object({
      name: z.enum(['sluice.db', 'secrets.json']),
      bytes: z.int().nonnegative(),
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
    }),
  ),
});

export type BackupManifest = z.infer<typeof backupManifest>;
