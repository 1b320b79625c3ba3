import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtProgram } from '@sluice/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { makeSampleRepo, sampleIssue } from '../src/local/sample-repo.ts';
import { itKeepsTheDocument } from './it-keeps-the-document.ts';
import { type Judge, startJudge } from './judge.ts';

let judge: Judge;
let home: string;

beforeAll(async () => {
  judge = await startJudge();
});

afterAll(() => judge?.[Symbol.asyncDispose]());

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'sluice run '));
});

afterEach(() => rmSync(home, { recursive: true }));

/** Runs the real command with nobody at the terminal, and a home of its own whose name holds a blank. */
async function sluice(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const program = await builtProgram('sluice');
  return await new Promise((resolve) => {
    const env = { PATH: `${process.execPath.replace(/\/[^/]+$/, '')}:${process.env.PATH}`, HOME: home, ...judge.env };
    execFile(process.execPath, [program, ...args], { cwd: home, env, timeout: 300_000 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

it('takes the sample issue to a tested branch, with JSON on stdout and the talk on stderr', async () => {
  const { code, stdout, stderr } = await sluice('demo', '--yes', '--json');
  expect(code, stderr).toBe(0);
  const issue = JSON.parse(stdout) as { status: string; result: { branch: string; tests: object } };
  expect(issue).toMatchObject({ status: 'completed', result: { tests: { base_exit_code: 1, verdict: 'green' } } });
  expect(stderr).toContain('not ok 2 - a discount takes its percentage off the line');
  expect(stderr).toContain('+  return Math.round(full * (1 - discountPercent / 100));');
  expect(stderr).not.toContain('\x1b');
  const [, look = ''] = /^Look at it: {2}(.*)$/m.exec(stderr) ?? [];
  expect(execFileSync('sh', ['-c', look], { encoding: 'utf8' })).toContain(sampleIssue.title);
});

it('ends at the gate with 9 when nobody can be asked, and goes on from there later', async () => {
  const repo = await makeSampleRepo(home);
  writeFileSync(join(home, 'bug.md'), `# ${sampleIssue.title}\n\n${sampleIssue.body}`);
  const waits = await sluice('run', '--repo', 'invoice', '--issue', 'bug.md');
  expect(waits.code, waits.stderr).toBe(9);
  expect(waits.stderr).toContain('Plan, revision 1');
  const goOn = `sluice run --repo '${repo}' --continue`;
  expect(waits.stderr).toContain(`The plan waits for a decision. At a terminal: ${goOn}`);

  const busy = await sluice('run', '--repo', repo, '--issue', 'bug.md');
  expect(busy.code).toBe(5);
  expect(busy.stderr).toMatch(/^sluice: An issue is in progress on this repository already[^\n]*\n$/);

  const goesOn = await sluice('run', '--repo', repo, '--continue', '--yes');
  expect(goesOn.code, goesOn.stderr).toBe(0);
  expect(goesOn.stdout).toMatch(/^Done\. /);
  const [, take = ''] = /^Take it over: {2}(.*)$/m.exec(goesOn.stderr) ?? [];
  execFileSync('sh', ['-c', take]);
  const merged = execFileSync('git', ['-C', repo, 'show', 'HEAD:src/invoice.js'], { encoding: 'utf8' });
  expect(merged).toContain('discountPercent / 100');

  const nothing = await sluice('run', '--repo', repo, '--continue');
  expect(nothing.code).toBe(4);
  expect(nothing.stderr).toMatch(/^sluice: No issue is in progress on this repository[^\n]*\n$/);
});

it('sets up and tests as it is told to, and remembers that', async () => {
  const repo = await makeSampleRepo(home);
  writeFileSync(join(home, 'bug.md'), `# ${sampleIssue.title}\n\n${sampleIssue.body}`);
  const run = ['run', '--repo', repo, '--issue', 'bug.md', '--yes', '--json'];
  const told = await sluice(...run, '--setup', 'echo ready', '--test', 'node --test');
  expect(told.code, told.stderr).toBe(0);
  expect(told.stderr).toContain('$ echo ready');
  const remembered = await sluice(...run);
  expect(remembered.code, remembered.stderr).toBe(0);
  for (const { stdout } of [told, remembered]) {
    expect(JSON.parse(stdout)).toMatchObject({ result: { tests: { command: 'node --test', verdict: 'green' } } });
  }
});

it('ends with 7 and the reason when the pipeline fails', async () => {
  const repo = await makeSampleRepo(home);
  writeFileSync(join(home, 'idea.md'), 'Make the invoice prettier\n');
  const { code, stdout, stderr } = await sluice('run', '--repo', repo, '--issue', 'idea.md', '--yes');
  expect(code, stderr).toBe(7);
  expect(stdout).toMatch(/^Ended as failed: .*model/);
  const goOn = `sluice run --repo ${repo.includes(' ') ? `'${repo}'` : repo} --continue`;
  expect(stderr).toContain(`Try it again from there:  ${goOn}`);

  const again = await sluice('run', '--repo', repo, '--continue', '--yes');
  expect(again.code, again.stderr).toBe(7);
  expect(again.stderr.match(/✗ implement: /g)).toHaveLength(2);
});

it('has the plan made anew when the base has moved in one of its files, and approves that with --yes', async () => {
  const repo = await makeSampleRepo(home);
  writeFileSync(join(home, 'bug.md'), `# ${sampleIssue.title}\n\n${sampleIssue.body}`);
  const waits = await sluice('run', '--repo', repo, '--issue', 'bug.md');
  expect(waits.code, waits.stderr).toBe(9);
  appendFileSync(join(repo, 'src/invoice.js'), '\n// seen by the bookkeeper\n');
  execFileSync('git', ['-C', repo, '-c', 'user.name=A', '-c', 'user.email=a@example.com', 'commit', '-qam', 'a note']);

  const goesOn = await sluice('run', '--repo', repo, '--continue', '--yes', '--json');
  expect(goesOn.code, goesOn.stderr).toBe(0);
  expect(goesOn.stderr).toContain(
    '! `main` has moved since the plan was made, in a file that it changes: src/invoice.js',
  );
  expect(goesOn.stderr).toContain('planned anew on the base as it is now (--yes)');
  expect(goesOn.stderr).toContain('Plan, revision 2');
  const { result, plan } = JSON.parse(goesOn.stdout) as { result: { branch: string }; plan: { revision: number } };
  expect(plan.revision).toBe(2);
  const file = execFileSync('git', ['-C', repo, 'show', `${result.branch}:src/invoice.js`], { encoding: 'utf8' });
  expect(file).toContain('seen by the bookkeeper');
  expect(file).toContain('discountPercent / 100');
});

it('leaves the pipeline running for later when it is interrupted, and says how to go on', async () => {
  const repo = await makeSampleRepo(join(home, 'my shop'));
  writeFileSync(join(home, 'bug.md'), `# ${sampleIssue.title}\n\n${sampleIssue.body}`);
  const run = [await builtProgram('sluice'), 'run'];
  const child = spawn(
    process.execPath,
    // With tests that last it is at work yet when it is interrupted, however late that comes.
    [...run, '--repo', repo, '--issue', 'bug.md', '--yes', '--test', 'sleep 6; node --test'],
    {
      cwd: home,
      env: { PATH: process.env.PATH, HOME: home, ...judge.env },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  let stderr = '';
  for await (const chunk of child.stderr.setEncoding('utf8')) {
    stderr += chunk;
    if (!stderr.includes('✓ index') || child.killed) continue;
    child.kill('SIGINT');
    child.kill('SIGINT'); // under `npm run` one Ctrl-C comes twice: from the terminal, and passed on by npm
  }
  const [code] = child.exitCode === null ? await once(child, 'exit') : [child.exitCode];
  expect(code, stderr).toBe(130);
  expect(stderr).toMatch(
    /Interrupted\. Nothing is lost; go on with: sluice run --repo '[^']*my shop\/invoice' --continue\n$/,
  );
  const goesOn = await sluice('run', '--repo', repo, '--continue', '--yes');
  expect(goesOn.code, goesOn.stderr).toBe(0);
});

itKeepsTheDocument(() => judge);
