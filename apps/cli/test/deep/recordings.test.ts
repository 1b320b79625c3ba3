import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { builtProgram, isSoakRun } from '@sluice/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { shellWord } from '../../src/terminal/shell-word.ts';
import { fakeTerminal } from '../fake-terminal.ts';

// Usual way: apps/cli/test/run-command.test.ts

const widths = [60, 80, 120];
const recordings = widths.flatMap((columns) => [
  { name: `demo-${columns}`, columns, env: { NO_COLOR: '1' } },
  { name: `demo-${columns}-colour`, columns, env: {} },
]);

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'sluice-recording-'));
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

/** Everything that stays on a terminal of this width after `sluice demo --yes`, and all that was written to it. */
async function record(columns: number, env: Readonly<Record<string, string>>) {
  const program = await builtProgram('sluice');
  const command = `stty cols ${columns} rows 40; exec ${[process.execPath, program, 'demo', '--yes'].map(shellWord).join(' ')}`;
  const { stdout } = await promisify(execFile)('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    env: { PATH: process.env.PATH, TERM: 'xterm', HOME: home, ...env },
  });
  const terminal = fakeTerminal(columns, 40);
  terminal.write(stdout);
  return { written: stdout, lines: terminal.screen };
}

/** What must not be broken, because it is copied or read exactly: paths, commands, edits, the diff, hashes. */
const EXACT = /^( +\/|See the result:|Try your own|Branch |index |diff |[-+@ ]{1,3}|sluice\/| +sluice\/)/;

it.each(isSoakRun ? recordings : recordings.slice(0, 1))(
  'shows a run at $columns columns whose lines break between words, and leaves no status line behind ($name)',
  async ({ name, columns, env }) => {
    const { written, lines } = await record(columns, env);
    const text = lines.map(stripVTControlCharacters);
    expect(stripVTControlCharacters(written)).toMatch(/[⠀-⣿] (prepare|plan|implement|test), /);
    expect(text.join('\n')).not.toMatch(/[⠀-⣿]/);
    expect(text.filter((line) => line.length > columns && !EXACT.test(line))).toEqual([]);
    expect(text).toContainEqual(expect.stringMatching(/^Done\. /));
    if (isSoakRun) await expect(normalised(lines)).toMatchFileSnapshot(`../recordings/${name}.txt`);
  },
);

/** The same at every run: without times, random ids and folders. Escape characters are visible. */
function normalised(lines: readonly string[]): string {
  return `${lines
    .join('\n')
    .replaceAll(home, '~')
    .replaceAll(/run-\d+-\w+/g, 'run-1')
    .replaceAll(/\d+\.\d s\b/g, '0.0 s')
    .replaceAll(/until [\d-]{10} [\d:]{5}/g, 'until 2000-01-01 00:00')
    .replaceAll(/duration_ms: [\d.]+/g, 'duration_ms: 0')
    .replaceAll(/sluice\/[0-9a-f]{8}-/g, 'sluice/00000000-')
    .replaceAll(/[0-9a-f]{10}\.\.[0-9a-f]{10}/g, '0000000000..0000000000')
    .replaceAll('\x1b', '␛')
    .trim()}\n`;
}
