import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import type { Ended } from './run-here.ts';
import { openTerminal, type Terminal } from './terminal.ts';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));
let terminal: Terminal;
let folder: string;

beforeEach(async () => {
  terminal = await openTerminal();
  folder = terminal.home;
});

afterEach(() => terminal[Symbol.dispose]());

const sluice = (args: readonly string[], env: Record<string, string> = {}) => terminal.sluice(args, { env });

/** Runs the sources in a process of their own. */
function node(args: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      args,
      { cwd: folder, env: { PATH: process.env.PATH, HOME: folder }, timeout: 100_000 },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

it('prints its version on stdout, and imports almost nothing for it', async () => {
  const { code, stdout, stderr } = await node([MAIN, '--version']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  // The commit is that of the checkout, if it has git's folder.
  expect(stdout).toMatch(/^\d+\.\d+\.\d+( \([0-9a-f]{10}\))?\n$/);
  expect(stdout.split(/[ \n]/)[0]).toBe(manifest.version);
  const hooks = join(folder, 'hooks.mjs');
  writeFileSync(
    hooks,
    `import { registerHooks } from 'node:module';
     registerHooks({ resolve(name, context, next) { process._rawDebug('loads ' + name); return next(name, context); } });`,
  );
  expect((await node(['--import', hooks, MAIN, '-V'])).stderr).not.toContain('loads commander');
});

it.each([
  [['--help']],
  [['help', 'run']],
  [['run', '--help']],
  [['demo', '--help']],
  [['serve', '-h']],
  [['doctor', '-h']],
  [['migrate', '--help']],
  [['migrate-to', '--help']],
  [['help', 'issues']],
  [['repos', '--help']],
])('shows examples first for %j', async (args) => {
  const { code, stdout, stderr } = await sluice(args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^Examples:\n {2}sluice /);
  expect(stdout).toContain('Usage: sluice');
});

it('imports nothing of the server, the client or the domain for --version and --help', async () => {
  const hooks = join(folder, 'hooks.mjs');
  writeFileSync(
    hooks,
    `import { registerHooks } from 'node:module';
     registerHooks({ resolve(name, context, next) { process._rawDebug('loads ' + name); return next(name, context); } });`,
  );
  for (const args of [['--help'], ['run', '--help'], ['migrate-to', '--help'], ['nonsense']]) {
    const { stderr } = await node(['--import', hooks, MAIN, ...args]);
    expect(stderr).toContain('loads commander');
    expect(stderr).not.toMatch(/loads (@sluice|zod|@inquirer|@trpc)/);
  }
});

it('says in one line that its output cannot be written, and fails', async () => {
  const script = '"$NODE" "$MAIN" --help > /dev/full';
  const shell = promisify(execFile)('sh', ['-c', script], { env: { NODE: process.execPath, MAIN, HOME: folder } });
  await expect(shell).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^sluice: The output could not be written: ENOSPC: .*\n$/),
  });
});

it.each([
  [
    '.local/state',
    ['issues', 'list', '--url', 'http://127.0.0.1:2'],
    'The session of http://127.0.0.1:2 cannot be read',
  ],
  ['.local/share', ['demo', '--yes'], 'A file or folder cannot be used (ENOTDIR:'],
  ['.config', ['alias', 'set', 'mine', 'list'], 'A file or folder cannot be used (E'],
])('names the place under %s that a file is in the way of', async (place, args, said) => {
  mkdirSync(join(folder, place), { recursive: true });
  writeFileSync(join(folder, place, 'sluice'), '');
  const { code, stderr } = await sluice(args);
  expect(stderr).toMatch(/^sluice: [^\n]+\n$/);
  expect(stderr).toContain(said);
  expect(stderr).toContain(join(folder, place, 'sluice'));
  expect(code).toBe(1);
});

describe('a usage error', () => {
  it.each<[string[], RegExp]>([
    [['rnu', '--repo', '.'], /unknown command 'rnu'.*Did you mean run\?/],
    [['run', '--issue', 'bug.md'], /There is no issue file bug\.md\./],
    [['run', '--repo', '.', '--isue', 'bug.md'], /unknown option '--isue'.*Did you mean --issue\?/],
    [['run', '--repo'], /argument missing/],
    [['run', '--repo', '.'], /Pass either --issue FILE or --continue\./],
    [['run', '--repo', '.', '--issue', 'bug.md', '--continue'], /Pass either --issue FILE or --continue\./],
    [['run', '--repo', '.', '--issue', 'none.md'], /There is no issue file none\.md\./],
    [['demo', 'extra'], /too many arguments/],
    [['isues', 'list'], /unknown command 'isues'.*Did you mean issues\?/],
    [['bogus'], /unknown command 'bogus' \(see sluice --help\)/],
    [['run', '--bogus'], /unknown option '--bogus' \(see sluice run --help\)/],
    [['issues', 'lst'], /unknown command 'lst'.*Did you mean one of list, ls\?/],
    [
      ['run', '--repo', '.', '--issue', 'x', '--url', 'http://x', '--embedded'],
      /Pass either --url or --embedded, not both\./,
    ],
    [['run', '--repo', '.', '--issue', 'x', '--server', '--model', 'm'], /--model is for work on this machine/],
    [['completion', 'tcsh'], /Allowed choices are bash, zsh, fish/],
    [
      ['issues', 'list', '--limit', '0'],
      /option '-*.*--limit <number>' argument '0' is invalid\. It must be a positive integer\./,
    ],
  ])('is one line and exit code 2: %j', async (args, message) => {
    const { code, stdout, stderr } = await sluice(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^sluice: [^\n]+\n$/);
  });

  it.each<[string[], string]>([
    [['rnu'], 'sluice'],
    [['run', '--isue', 'x'], 'sluice run'],
    [['issues', 'lst'], 'sluice issues'],
    [['admin', 'users', 'list', '--nope'], 'sluice admin users list'],
  ])('points to the help of the command that it is about: %j', async (args, command) => {
    expect((await sluice(args)).stderr).toContain(`(see ${command} --help)\n`);
  });

  it.each<[string[], { code: string; exit_code: number }]>([
    [['issues', 'list', '--json', '--limit', '0'], { code: 'usage', exit_code: 2 }],
    [['run', '--json', '--isue', 'x'], { code: 'usage', exit_code: 2 }],
    [['issues', 'show', 'abc', '--json'], { code: 'not_logged_in', exit_code: 3 }],
    [['issues', 'show', 'abc', '--jq', '.id'], { code: 'not_logged_in', exit_code: 3 }],
    [['issues', 'show', 'abc', '--jq', '.id['], { code: 'usage', exit_code: 2 }],
    [['doctor', '--json', 'extra'], { code: 'usage', exit_code: 2 }],
  ])('and any other error is one JSON object on stderr with --json: %j', async (args, expected) => {
    const { code, stdout, stderr } = await sluice(args);
    expect({ code, stdout }).toEqual({ code: expected.exit_code, stdout: '' });
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(JSON.parse(stderr)).toMatchObject({ ...expected, detail: expect.any(String) });
  });

  it('is a repository that does not exist', async () => {
    writeFileSync(join(folder, 'bug.md'), 'It breaks\n');
    const { code, stderr } = await sluice(['run', '--repo', './nowhere', '--issue', 'bug.md']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'sluice: There is no folder ./nowhere: pass a folder of a repository, or an https:// URL.\n',
    });
  });

  it('is a call without a command, which shows the help', async () => {
    const { code, stdout, stderr } = await sluice([]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('Usage: sluice');
  });
});

describe('a configuration that is wrong', () => {
  const wrong = { PORT: 'x', MODEL: 'anthropic/x', SESSION_SECRET: 'hunter2' };

  it('stops serve with all problems, no secret and no stack', async () => {
    const { code, stdout, stderr } = await sluice(['serve'], wrong);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(
      /^sluice: The configuration has 3 problems:\n {2}- PORT: .*\n {2}- SESSION_SECRET: .*\n {2}- ANTHROPIC_API_KEY: .*\n$/,
    );
    expect(stderr).not.toContain('hunter2');
  });

  it('is found by the doctor', async () => {
    const { code, stdout } = await sluice(['doctor', '--json'], wrong);
    const { healthy, findings } = JSON.parse(stdout) as {
      healthy: boolean;
      findings: { state: string; subject: string; mend: string | null }[];
    };
    expect({ code, healthy }).toEqual({ code: 1, healthy: false });
    expect(Object.keys(findings[0] ?? {})).toEqual(['subject', 'state', 'detail', 'mend']);
    expect(findings.filter(({ state }) => state === 'problem').map(({ subject }) => subject)).toEqual(
      Array.from({ length: 3 }, () => 'configuration'),
    );
  });

  it('is not read from the .env of a repository, and a line says so when it sets a variable of Sluice', async () => {
    mkdirSync(join(folder, '.git'));
    writeFileSync(join(folder, '.env'), 'PORT=nonsense\nSANDBOX=none\nLOG_LEVEL=nonsense\n');
    writeFileSync(join(folder, 'bug.md'), 'It breaks\n');
    const { stderr } = await sluice(['run', '--repo', '.', '--issue', 'bug.md']);
    expect(stderr).not.toMatch(/configuration|SANDBOX=none/);
    expect(stderr).toMatch(
      /^! \S.*\.env is not read, because it belongs to the repository .*; it sets LOG_LEVEL, PORT, SANDBOX\./m,
    );
  });
});
