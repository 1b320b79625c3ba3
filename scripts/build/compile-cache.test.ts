import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fillCompileCache, useCompileCache } from './compile-cache.ts';

it('lets every user read the code that was compiled', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-compile-cache-'));
  try {
    mkdirSync(join(folder, 'compile-cache'));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(folder, 'sluice.js'), useCompileCache);
    writeFileSync(join(folder, 'imported.js'), 'export const imported = 1;');
    writeFileSync(
      join(folder, 'server.js'),
      `${useCompileCache}
      await import('./imported.js');
      process.once('SIGTERM', () => process.exit(0));
      setInterval(() => {}, 1_000);
      console.log('Sluice listens on http://127.0.0.1:1');`,
    );
    await fillCompileCache(folder);
    const cached = readdirSync(join(folder, 'compile-cache'), { recursive: true, withFileTypes: true });
    const modes = (isFile: boolean) =>
      cached
        .filter((entry) => entry.isFile() === isFile)
        .map((entry) => statSync(join(entry.parentPath, entry.name)).mode & 0o777);
    expect(new Set(modes(true))).toEqual(new Set([0o644]));
    expect(new Set(modes(false))).toEqual(new Set([0o755]));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
