import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ignoredDotEnvNote, loadConfig } from './load-config.ts';
import { ConfigError } from './parse-config.ts';

const home = process.cwd();
let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'sluice config ')));
  process.chdir(folder);
  vi.stubEnv('PORT', undefined).stubEnv('SANDBOX', undefined).stubEnv('XDG_CONFIG_HOME', join(folder, 'config'));
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

function writeUserFile(text: string): string {
  const path = join(folder, 'config/sluice/config');
  mkdirSync(join(folder, 'config/sluice'), { recursive: true });
  writeFileSync(path, text);
  return path;
}

it('reads, lowest first, the user file, .env, the named file, the environment and the overrides', () => {
  const portOf = (options = {}) => loadConfig(options).port;
  writeUserFile('PORT=4001\nSANDBOX=none\n');
  expect(portOf()).toBe(4001);
  writeFileSync('.env', 'PORT=4002\n');
  expect(portOf()).toBe(4002);
  writeFileSync('mine.env', 'PORT=4003\n');
  expect(portOf({ envFile: 'mine.env' })).toBe(4003);
  vi.stubEnv('PORT', '4004');
  expect(portOf({ envFile: 'mine.env' })).toBe(4004);
  expect(loadConfig({ envFile: 'mine.env', overrides: { PORT: '4005' } })).toMatchObject({
    port: 4005,
    sandbox: 'none',
  });
  expect(portOf({ overrides: { PORT: '' } })).toBe(3000);
});

it('reads no .env of a repository, and says so when it sets a variable of Sluice', () => {
  mkdirSync('.git');
  mkdirSync('src');
  writeFileSync('src/.env', 'SANDBOX=none\nPORT=nonsense\nSHOP_KEY=x\n');
  process.chdir('src');
  expect(loadConfig()).toMatchObject({ port: 3000, sandbox: 'bwrap' });
  const path = join(folder, 'src/.env');
  expect(ignoredDotEnvNote()).toBe(
    `${path} is not read, because it belongs to the repository ${folder}; it sets PORT, SANDBOX. To use it: --env-file ${path}`,
  );
  writeFileSync('.env', 'SHOP_KEY=x\n');
  expect(ignoredDotEnvNote()).toBeNull();
});

it('creates no folder to look for the user file', () => {
  loadConfig();
  expect(existsSync(join(folder, 'config'))).toBe(false);
});

it('names the file that set a wrong value, and the named file that is not there', () => {
  const path = writeUserFile('PORT=x\n');
  expect(() => loadConfig()).toThrow(`PORT: "x" is not a whole number, e.g. PORT=3000 (set in ${path})`);
  expect(() => loadConfig({ envFile: 'none.env' })).toThrow('none.env: there is no such file');
});

it('takes a home that cannot hold the user file for one without it', () => {
  writeFileSync('config', '');
  expect(loadConfig().port).toBe(3000);
});

it('reads no .env on request', () => {
  writeFileSync('.env', 'SANDBOX=none\nPORT=nonsense\n');
  expect(loadConfig({ dotEnv: false })).toMatchObject({ port: 3000, sandbox: 'bwrap' });
});

it('names .env when it cannot be read', () => {
  mkdirSync('.env');
  expect(() => loadConfig()).toThrow(ConfigError);
  expect(() => loadConfig()).toThrow(/\.env: cannot be read \(EISDIR\)/);
});

it.each(['/proc/x', '/sys/x', '/tmp/../proc/x'])('refuses a data folder in a file system of the kernel: %s', (path) => {
  expect(() => loadConfig({ overrides: { DATA_DIR: path } })).toThrow('DATA_DIR: ');
});
