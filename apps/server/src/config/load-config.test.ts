import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { loadConfig } from './load-config.ts';
import { ConfigError } from './parse-config.ts';

const home = process.cwd();
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice config '));
  process.chdir(folder);
  vi.stubEnv('PORT', undefined).stubEnv('SANDBOX', undefined);
});

afterEach(() => {
  process.chdir(home);
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

it('reads .env in the current folder', () => {
  writeFileSync('.env', '# mine\nPORT=4001\nexport SANDBOX="none"\n');
  expect(loadConfig()).toMatchObject({ port: 4001, sandbox: 'none' });
});

it('uses the defaults when there is no .env', () => expect(loadConfig().port).toBe(3000));

it('lets the environment win over .env, and overrides over both', () => {
  writeFileSync('.env', 'PORT=4001\nSANDBOX=none\n');
  vi.stubEnv('PORT', '4002');
  expect(loadConfig()).toMatchObject({ port: 4002, sandbox: 'none' });
  expect(loadConfig({ overrides: { PORT: '4003' } })).toMatchObject({ port: 4003, sandbox: 'none' });
  expect(loadConfig({ overrides: { PORT: '' } }).port).toBe(3000);
});

it('ignores the .env of a folder that belongs to another user', () => {
  writeFileSync('.env', 'SANDBOX=none\nPORT=nonsense\n');
  expect(loadConfig({ dotEnv: false })).toMatchObject({ port: 3000, sandbox: 'bwrap' });
});

it('names .env when it cannot be read', () => {
  mkdirSync('.env');
  expect(() => loadConfig()).toThrow(ConfigError);
  expect(() => loadConfig()).toThrow(/\.env: cannot be read \(EISDIR\)/);
});
