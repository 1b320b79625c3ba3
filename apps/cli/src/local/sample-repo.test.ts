import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { makeSampleRepo, sampleIssue } from './sample-repo.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice sample '));
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

function runTests(root: string): Promise<{ exitCode: number; output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['--test', '--test-reporter=tap'], { cwd: root, env: {} }, (error, stdout) =>
      resolve({ exitCode: typeof error?.code === 'number' ? error.code : 0, output: stdout }),
    );
  });
}

/** The edit that the issue spells out. */
function spelledOutEdit(): { path: string; from: string; to: string } {
  const [, path = '', from = '', to = ''] = /^in `(.+)` replace `(.+)` with `(.+)`$/m.exec(sampleIssue.body) ?? [];
  return { path, from, to };
}

it('has a test that fails because of the bug, and passes after the edit of the issue', async () => {
  const root = await makeSampleRepo(folder);
  const before = await runTests(root);
  expect(before.exitCode).toBe(1);
  expect(before.output).toMatch(/^not ok \d+ - a discount takes its percentage off the line$/m);
  expect(before.output).toMatch(/^# pass 2$/m);

  const { path, from, to } = spelledOutEdit();
  const file = join(root, path);
  const source = readFileSync(file, 'utf8');
  expect(source.split(from)).toHaveLength(2);
  writeFileSync(
    file,
    source.replace(from, () => to),
  );
  const after = await runTests(root);
  expect(after.output).toMatch(/^# pass 3$/m);
  expect(after.exitCode).toBe(0);
});

it('has an issue that describes the real bug', async () => {
  const { linePrice } = (await import(join(await makeSampleRepo(folder), 'src/invoice.js'))) as {
    linePrice(line: { unitCents: number; quantity: number; discountPercent: number }): number;
  };
  expect(linePrice({ unitCents: 1_000, quantity: 2, discountPercent: 10 })).toBe(1_990);
  expect(sampleIssue.body).toContain('should cost 18.00; the invoice says 19.90');
});

it('is one clean commit on main', async () => {
  const root = await makeSampleRepo(folder);
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  expect(git('status', '--porcelain')).toBe('');
  expect(git('log', '--format=%an %s %D')).toBe('Sluice demo Add up an invoice HEAD -> main');
});

it('is independent of the git configuration, and does not touch the calling repository', async () => {
  const calling = join(folder, 'calling');
  execFileSync('git', ['init', '-q', calling]);
  const hooks = join(folder, 'hooks');
  execFileSync('mkdir', [hooks]);
  writeFileSync(join(hooks, 'commit-msg'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  writeFileSync(
    join(folder, 'gitconfig'),
    `[core]\n\thooksPath = ${hooks}\n[commit]\n\tgpgsign = true\n[gpg]\n\tprogram = false\n`,
  );
  vi.stubEnv('GIT_CONFIG_GLOBAL', join(folder, 'gitconfig')).stubEnv('GIT_DIR', join(calling, '.git'));
  const root = await makeSampleRepo(join(folder, 'demo'));
  expect(readdirSync(root)).toContain('.git');
  expect(readdirSync(join(calling, '.git'))).not.toContain('index');
});

it('reports that git is missing', async () => {
  vi.stubEnv('PATH', folder);
  await expect(makeSampleRepo(folder)).rejects.toThrow(
    'Cannot create the sample repository: git init failed: git is not installed.',
  );
});
