// A process that makes or restores a backup and is gone right before its Nth change of the disk, as by a power cut.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { argv } from 'node:process';

const [what = '', dataDir = '', file = '', last = '0'] = argv.slice(2);
const changing = [
  'mkdirSync',
  'mkdtempSync',
  'writeFileSync',
  'createWriteStream',
  'fsyncSync',
  'linkSync',
  'renameSync',
  'rmSync',
  'rmdirSync',
  'chmodSync',
] as const;

let changes = 0;
for (const name of changing) {
  const original = fs[name] as (...args: unknown[]) => unknown;
  Reflect.set(fs, name, (...args: unknown[]) => {
    changes += 1;
    if (changes === Number(last)) {
      process.kill(process.pid, 'SIGKILL');
      for (;;); // nothing of this process may run any more
    }
    return original(...args);
  });
}
syncBuiltinESMExports();

// After the counting has begun, and before the first change that counts.
const { backUp } = await import('../src/storage/backup/back-up.ts');
const { restoreBackup } = await import('../src/storage/backup/restore-backup.ts');
changes = 0;
const overrides = { DATA_DIR: dataDir };
if (what === 'backup') await backUp({ file, replace: true, overrides, dotEnv: false });
else await restoreBackup({ file, overrides, dotEnv: false, confirmReplace: async () => {} });
