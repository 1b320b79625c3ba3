import * as z from 'zod';

/** Incremented when an older Sluice could not restore an archive although it knows the database version. */
export const BACKUP_FORMAT = 1;

/** The manifest, the first file of a backup. */
export const backupManifest = z.object({
  format: z.literal(BACKUP_FORMAT),
  sluice_version: z.string(),
  created_at: z.iso.datetime(),
  /** The migrations applied to its database. */
  changes: z.array(z.string()).min(1),
  tables: z.array(z.object({ name: z.string(), rows: z.int() })),
  /** The source of each secret; secrets from the environment are not in the backup. */
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
