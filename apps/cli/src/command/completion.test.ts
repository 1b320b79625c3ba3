import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createProgram } from '../program.ts';
import { type CompletionSource, completeValue } from './complete-value.ts';
import { completionScript } from './completion.ts';

const program = createProgram('0.0.0', () => {});

/** A `sluice` that offers two issues for `issues`, and files after `--issue`. */
const ANSWERS = `sluice() {
  case "$*" in
    *'--issue '*) printf ':files\\n' ;;
    *) printf '0c2d3e4f\\tFix the sum\\n1d2e3f40\\tA b\\n' ;;
  esac
}`;

/** The completions that bash offers at the end of a line. */
function offered(...words: string[]): string[] {
  const line = words.map((word) => `'${word}'`).join(' ');
  const ask = `COMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _sluice; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const script = `${completionScript(program, 'bash')}\n${ANSWERS}\n${ask}`;
  return execFileSync('bash', ['-c', script], { encoding: 'utf8', cwd: '/' }).trim().split('\n');
}

it('offers commands, subcommands and options', () => {
  expect(offered('sluice', 'repo')).toEqual(['repos']);
  expect(offered('sluice', 'issues', 're')).toEqual(['retry', 'reject']);
  expect(offered('sluice', 'issue', 're')).toEqual(['retry', 'reject']);
  expect(offered('sluice', 'issues', 'watch', '--no')).toEqual(['--no-wait', '--no-ask']);
  expect(offered('sluice', 'issues', '--help', 'watch', '0c2d3e4f', '--js')).toEqual(['--json']);
  expect(offered('sluice', '--vers')).toEqual(['--version']);
});

it('asks the command for arguments and for values of options, and lists files itself', () => {
  expect(offered('sluice', 'issue', 'show', '')).toEqual(['0c2d3e4f', '1d2e3f40']);
  expect(offered('sluice', 'issues', 'list', '-R', '')).toEqual(['0c2d3e4f', '1d2e3f40']);
  expect(offered('sluice', 'issues', 'create', '--issue', '/et')).toEqual(['/etc']);
});

const source: CompletionSource = {
  issues: async (status) => [{ value: '0c2d3e4f', about: status?.join(' ') ?? 'all' }],
  repos: async () => [{ value: 'acme/shop' }, { value: 'invoice' }],
  sessions: async () => [{ value: '9e4d21aa' }],
  targets: async () => [{ value: '5b218f0e', about: 'The bot' }],
};

it.each<[string[], unknown[]]>([
  [['issues', 'show', ''], [{ value: '0c2d3e4f', about: 'all' }]],
  [['issue', 'approve', '0c'], [{ value: '0c2d3e4f', about: 'awaiting_approval' }]],
  [['issues', 'approve', '0c2d3e4f', ''], []],
  [['issues', 'list', '-R', 'acme'], [{ value: 'acme/shop' }]],
  [['issues', 'list', '--status', 'running', 'fa'], [{ value: 'failed' }]],
  [
    ['repos', 'show', '--json', ''],
    [{ value: 'acme/shop' }, { value: 'invoice' }],
  ],
  [['sessions', 'end', ''], [{ value: '9e4d21aa' }]],
  [['notify', 'test', ''], [{ value: '5b218f0e', about: 'The bot' }]],
  [
    ['notifications', 'add', '--format', 'ma'],
    [{ value: 'mattermost' }, { value: 'matrix' }],
  ],
  [['backup', ''], [{ value: ':files' }]],
  [['backup', '--data-dir', ''], [{ value: ':folders' }]],
  [['completion', 'b'], [{ value: 'bash' }]],
  [['login', '--email', ''], []],
])('completes %j', async (words, expected) => {
  expect(await completeValue(program, words, source)).toEqual(expected);
});

const hasShell = (shell: string) => spawnSync(shell, ['--version']).status === 0;

it.skipIf(!hasShell('fish'))('offers the same in fish, with what they stand for', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice fish '));
  try {
    writeFileSync(join(folder, 'c.fish'), completionScript(program, 'fish'));
    writeFileSync(join(folder, 'sluice'), `#!/bin/sh\nprintf '0c2d3e4f\\tFix the sum\\n'\n`);
    chmodSync(join(folder, 'sluice'), 0o755);
    const env = { PATH: `${folder}:${process.env.PATH}`, HOME: folder };
    const inFish = (line: string) =>
      execFileSync('/usr/bin/env', ['fish', '-c', `source c.fish; complete -C '${line}'`], {
        encoding: 'utf8',
        cwd: folder,
        env,
      });
    expect(inFish('sluice issue show ')).toBe('0c2d3e4f\tFix the sum\n');
    expect(inFish('sluice issues list -R ')).toContain('0c2d3e4f\tFix the sum\n');
    expect(inFish('sluice issues rej')).toBe('reject\treject the plan or the change and end the issue\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it.skipIf(!hasShell('zsh'))('is a script that zsh can read', () => {
  execFileSync('/usr/bin/env', ['zsh', '-n', '-c', completionScript(program, 'zsh')]);
});

it.each(['bash', 'zsh', 'fish'] as const)('names every command in the script for %s', (shell) => {
  const script = completionScript(program, shell);
  for (const word of ['repos', 'search', 'instruct', 'migrate-to', '--password-stdin']) {
    expect(script).toContain(word.replace(shell === 'fish' ? /^--/ : /^$/, ''));
  }
});
