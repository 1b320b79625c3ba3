import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

interface Words {
  readonly refusal: string | null;
  readonly noSandbox: string | null;
}

// A program of the first start: plain JavaScript, without types.
const { platformWords }: { platformWords: (platform: string) => Words } = await import(
  new URL('./platform-words.mjs', import.meta.url).href
);

it('refuses Windows with one line that names WSL, and no stack', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice platform '));
  const preload = join(folder, 'windows.mjs');
  writeFileSync(preload, "Object.defineProperty(process, 'platform', { value: 'win32' });\n");
  const bootstrap = fileURLToPath(new URL('./bootstrap.mjs', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, ['--import', preload, bootstrap], { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  expect(status).toBe(1);
  expect(stderr).toMatch(/^sluice: Sluice does not run on Windows itself\. Install WSL 2 [^\n]*\n$/);
});

it('lets macOS go on, and says that commands of a repository need --sandbox none there', () => {
  expect(platformWords('darwin').refusal).toBeNull();
  expect(platformWords('darwin').noSandbox).toMatch(/^there is no sandbox on macOS, .*--sandbox none \(SANDBOX=none\)/);
});

it('says nothing on Linux', () => expect(platformWords('linux')).toEqual({ refusal: null, noSandbox: null }));
