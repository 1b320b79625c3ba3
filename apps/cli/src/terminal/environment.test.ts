import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { callerFolder, gitEnvironment, hasOwnDataDir, personalDataDir, wantsColour } from './environment.ts';

beforeEach(() => {
  for (const name of ['DATA_DIR', 'XDG_DATA_HOME', 'NO_COLOR', 'FORCE_COLOR', 'INIT_CWD', 'npm_package_name']) {
    vi.stubEnv(name, undefined);
  }
  vi.stubEnv('HOME', '/home/me').stubEnv('TERM', 'xterm');
});

afterEach(() => void vi.unstubAllEnvs());

describe('colour', () => {
  const terminal = { isTTY: true };
  const pipe = {};

  it('is used on a terminal only', () => {
    expect(wantsColour(terminal)).toBe(true);
    expect(wantsColour(pipe)).toBe(false);
  });

  it.each<[Record<string, string>, boolean, boolean]>([
    [{ NO_COLOR: '1' }, false, false],
    [{ NO_COLOR: '0' }, false, false],
    [{ NO_COLOR: '' }, true, false],
    [{ FORCE_COLOR: '1' }, true, true],
    [{ FORCE_COLOR: '0' }, false, false],
    [{ FORCE_COLOR: '' }, true, false],
    [{ NO_COLOR: '1', FORCE_COLOR: '1' }, false, false],
    [{ TERM: 'dumb' }, false, false],
  ])('with %j is %s on a terminal and %s on a pipe', (environment, onTerminal, onPipe) => {
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    expect([wantsColour(terminal), wantsColour(pipe)]).toEqual([onTerminal, onPipe]);
  });
});

describe('the personal data folder', () => {
  it('follows XDG', () => {
    expect(personalDataDir()).toBe('/home/me/.local/share/sluice');
    vi.stubEnv('XDG_DATA_HOME', '/data');
    expect(personalDataDir()).toBe('/data/sluice');
    vi.stubEnv('XDG_DATA_HOME', 'relative');
    expect(personalDataDir()).toBe('/home/me/.local/share/sluice');
  });

  it('is DATA_DIR when it is set', () => {
    expect(hasOwnDataDir()).toBe(false);
    vi.stubEnv('DATA_DIR', '/srv/my data');
    expect([personalDataDir(), hasOwnDataDir()]).toEqual(['/srv/my data', true]);
    vi.stubEnv('DATA_DIR', '');
    expect(hasOwnDataDir()).toBe(false);
  });
});

it('uses the folder where npm was called, but only in a checkout of Sluice', () => {
  vi.stubEnv('INIT_CWD', '/home/me/shop');
  expect(callerFolder()).toBe(process.cwd());
  vi.stubEnv('npm_package_name', 'shop');
  expect(callerFolder()).toBe(process.cwd());
  vi.stubEnv('npm_package_name', 'sluice');
  expect(callerFolder()).toBe('/home/me/shop');
});

it('passes no GIT_ variable of the calling git on', () => {
  vi.stubEnv('GIT_DIR', '/home/me/shop/.git').stubEnv('GIT_INDEX_FILE', 'x');
  const names = Object.keys(gitEnvironment()).filter((name) => name.startsWith('GIT_'));
  expect(names).toEqual(['GIT_CONFIG_GLOBAL', 'GIT_CONFIG_NOSYSTEM']);
  expect(gitEnvironment()).toMatchObject({ HOME: '/home/me' });
});
