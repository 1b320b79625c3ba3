import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backUp, restoreBackup } from '../src/index.ts';

export const folder = () => mkdtempSync(join(tmpdir(), 'sluice-backup-'));

export const save = (dataDir: string, file: string, replace = false) =>
  backUp({ file, replace, overrides: { DATA_DIR: dataDir }, dotEnv: false });

export const restore = (dataDir: string, file: string) =>
  restoreBackup({ file, overrides: { DATA_DIR: dataDir }, dotEnv: false, confirmReplace: async () => {} });
