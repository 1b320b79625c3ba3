import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { createProgram } from '../program.ts';
import { completionScript } from './completion.ts';

const program = createProgram('0.0.0', () => {});

/** The completions that bash offers at the end of a line. */
function offered(...words: string[]): string[] {
  const line = words.map((word) => `'${word}'`).join(' ');
  const ask = `COMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _sluice; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const script = `${completionScript(program, 'bash')}\n${ask}`;
  return execFileSync('bash', ['-c', script], { encoding: 'utf8', cwd: '/' }).trim().split('\n');
}

it('offers commands, subcommands and options', () => {
  expect(offered('sluice', 'repo')).toEqual(['repos']);
  expect(offered('sluice', 'issues', 're')).toEqual(['retry', 'reject']);
  expect(offered('sluice', 'issues', 'watch', '--no')).toEqual(['--no-wait', '--no-ask']);
  expect(offered('sluice', 'issues', '--help', 'watch', '0c2d3e4f', '--js')).toEqual(['--json']);
  expect(offered('sluice', '--vers')).toEqual(['--version']);
});

it.each(['bash', 'zsh', 'fish'] as const)('names every command in the script for %s', (shell) => {
  const script = completionScript(program, shell);
  for (const word of ['repos', 'search', 'instruct', 'migrate-to', '--password-stdin']) {
    expect(script).toContain(word.replace(shell === 'fish' ? /^--/ : /^$/, ''));
  }
});
