import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { describeConfiguration } from './describe-configuration.ts';
import { setUserVariable, unsetUserVariable } from './user-settings.ts';

let folder: string;
let path: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'sluice settings ')));
  path = join(folder, 'sluice/config');
  vi.stubEnv('XDG_CONFIG_HOME', folder);
});

afterEach(() => rmSync(folder, { recursive: true }));

function write(text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const stored = () => readFileSync(path, 'utf8');

it('sets and unsets a variable in a file that only the user can read, and keeps every other line', () => {
  expect(setUserVariable('MODEL', 'compatible/qwen3:32b')).toBe(path);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  write(`# mine\nexport MODEL=builtin\n\nSHOP=1\nPORT=4001`);
  setUserVariable('MODEL', 'openai/gpt-5');
  expect(stored()).toBe('# mine\n\nSHOP=1\nPORT=4001\nMODEL=openai/gpt-5\n');
  unsetUserVariable('PORT');
  expect(stored()).toBe('# mine\n\nSHOP=1\nMODEL=openai/gpt-5\n');
});

it.each(['Ada # 1 <a@b>', "O'Hara <a@b>", 'a"b\'c <a@b>'])('reads the value back as it was set: %s', (author) => {
  setUserVariable('COMMIT_AUTHOR', author);
  expect(describeConfiguration({ dotEnv: false }).variables).toContainEqual({
    name: 'COMMIT_AUTHOR',
    value: author,
    source: 'user file',
    path,
  });
});

it('writes through a link', () => {
  const real = join(folder, 'dotfiles');
  writeFileSync(real, 'PORT=4001\n');
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(real, path);
  setUserVariable('MODEL', 'openai/gpt-5');
  expect(readFileSync(real, 'utf8')).toBe('PORT=4001\nMODEL=openai/gpt-5\n');
});

it.each([
  ['PROT', '3', /PROT: there is no such variable; did you mean PORT\?/],
  ['model', 'x', /did you mean MODEL\?/],
  ['API_KEY', 'x', /did you mean ANTHROPIC_API_KEY or OPENAI_API_KEY or GOOGLE_API_KEY\?/],
  ['NONSENSE', 'x', /docs\/configuration\.md lists them/],
  ['PORT', 'x', /PORT: "x" is not a whole number, e\.g\. PORT=3000/],
  ['PORT', ' ', /PORT: is empty/],
  ['SESSION_SECRET', 'hunter2', /^(?!.*hunter2).*SESSION_SECRET: is shorter than 32 characters/s],
])('refuses %s=%j and writes nothing', (name, value, message) => {
  expect(() => setUserVariable(name, value)).toThrow(message);
  expect(() => stored()).toThrow('ENOENT');
});

it('leaves a file with a value over several lines alone', () => {
  write('SHOP="a\nMODEL=b"\nMODEL=builtin\n');
  expect(() => setUserVariable('MODEL', 'openai/gpt-5')).toThrow('edit it by hand');
  expect(stored()).toBe('SHOP="a\nMODEL=b"\nMODEL=builtin\n');
});

it('describes what is set, where, and what is wrong, without secrets', () => {
  write('MODEL=anthropic/x\nOPENAI_API_KEY=sk-hunter2\nPORT=4001\nMODLE=x\n');
  vi.stubEnv('PORT', '4002');
  const report = describeConfiguration({ dotEnv: false, overrides: { LOG_LEVEL: 'warn' } });
  expect(JSON.stringify(report)).not.toContain('hunter2');
  expect(report.variables).toEqual(
    expect.arrayContaining([
      { name: 'PORT', value: '4002', source: 'environment', path: null },
      { name: 'MODEL', value: 'anthropic/x', source: 'user file', path },
      { name: 'OPENAI_API_KEY', value: null, source: 'user file', path },
      { name: 'LOG_LEVEL', value: 'warn', source: 'flag', path: null },
    ]),
  );
  expect(report.problems).toEqual([expect.stringContaining('ANTHROPIC_API_KEY: is required for anthropic/x')]);
  expect(report.notes).toEqual([`${path} sets MODLE, which Sluice does not know.`]);
  expect(report.precedence.map(({ source }) => source)).toEqual(['flag', 'environment', 'user file', 'default']);
});

it('repeats no password of a URL that a variable refuses', () => {
  const url = 'https://ada:hunter2@models.example/v1';
  expect(() => setUserVariable('MODEL_BASE_URL', url)).toThrow('"https://***@models.example/v1" holds credentials');
  vi.stubEnv('MODEL_BASE_URL', url);
  const report = describeConfiguration({ dotEnv: false });
  expect(report.variables).toMatchObject([{ name: 'MODEL_BASE_URL', value: 'https://***@models.example/v1' }]);
  expect(JSON.stringify(report)).not.toContain('hunter2');
});

it('names the lines that are not understood, and none inside a quoted value', () => {
  write('# mine\n\nMODEL builtin\nexport PORT=4001\nSHOP="a\nb\n"\nMODEL: builtin\n');
  const { notes } = describeConfiguration({ dotEnv: false });
  expect(notes).toEqual([
    `${path} sets SHOP, which Sluice does not know.`,
    `Lines 3, 8 of ${path} are not NAME=value, and have no effect.`,
  ]);
  write('A="it\'s\nb"\nit\'s mine\n');
  expect(describeConfiguration({ dotEnv: false }).notes).toContain(
    `Line 3 of ${path} is not NAME=value, and has no effect.`,
  );
});

it('says so at once of a long file of another kind', () => {
  write('  - "a word"\n'.repeat(20_000));
  expect(describeConfiguration({ dotEnv: false }).notes).toEqual([
    `Lines 1, 2, 3, 4, 5 and 19995 more of ${path} are not NAME=value, and have no effect.`,
  ]);
});
