import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtProgram, isSoakRun } from '@sluice/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { makeSampleRepo, sampleIssue } from '../../src/local/sample-repo.ts';
import { type ContractProxy, startContractProxy } from '../contract-proxy.ts';
import { itConformsToOpenApi } from '../it-conforms-to-openapi.ts';
import { type LocalRuns, openLocalRuns } from '../local-runs.ts';

// Usual way: apps/cli/test/run-command.test.ts, apps/cli/test/local-issues.test.ts

let proxy: ContractProxy;
let runs: LocalRuns;
let home: string;

beforeAll(async () => {
  proxy = await startContractProxy();
});

afterAll(() => proxy?.[Symbol.asyncDispose]());

beforeEach(() => {
  runs = openLocalRuns(proxy);
  ({ home } = runs);
});

afterEach(() => runs[Symbol.dispose]());

const sluice = (...args: string[]) => runs.sluice(...args);

it('ends at the gate with 9 when there is no terminal, and continues from there later', async () => {
  const repo = await makeSampleRepo(home);
  writeFileSync(join(home, 'bug.md'), `# ${sampleIssue.title}\n\n${sampleIssue.body}`);
  const typo = await sluice('run', '--repo', repo, '--issue', 'bug.md', '--base', 'mian', '--test', 'exit 1');
  const noSuchBranch = /^sluice: The repository has no branch "mian"\. It has "main"\.[^\n]*\n$/;
  expect([typo.code, typo.stderr]).toEqual([2, expect.stringMatching(noSuchBranch)]);

  const waits = await sluice('run', '--repo', 'invoice', '--issue', 'bug.md', '--model', 'builtin');
  expect(waits.code, waits.stderr).toBe(9);
  expect(waits.stderr).toContain('Plan, revision 1');
  const continueCommand = `sluice run --repo '${repo}' --continue`;
  expect(waits.stderr).toMatch(
    /The plan is waiting for a decision\. Decide with: sluice approve [0-9a-f]{8} --model builtin {2}\(or reject, or instruct\)/,
  );
  expect(waits.stderr).toContain(`or approve it with: ${continueCommand} --model builtin --yes`);

  const busy = await sluice('run', '--repo', repo, '--issue', 'bug.md', '--setup', 'exit 1', '--test', 'exit 1');
  expect(busy.code).toBe(5);
  expect(busy.stderr).toMatch(/^sluice: Issue [0-9a-f]{8} "[^"]+" is in progress on this repository[^\n]*\n$/);
  expect(busy.stderr).toContain(continueCommand);

  const continued = await sluice('run', '--repo', repo, '--continue', '--yes');
  expect(continued.code, continued.stderr).toBe(0);
  expect(continued.stdout).toMatch(/^Done\. /);
  const [, take = ''] = /^Merge it with: {2}(.*)$/m.exec(continued.stderr) ?? [];
  execFileSync('sh', ['-c', take]);
  const merged = execFileSync('git', ['-C', repo, 'show', 'HEAD:src/invoice.js'], { encoding: 'utf8' });
  expect(merged).toContain('discountPercent / 100');

  const nothing = await sluice('run', '--repo', repo, '--continue');
  expect(nothing.code).toBe(4);
  expect(nothing.stderr).toMatch(/^sluice: No issue is in progress on this repository[^\n]*\n$/);
});

it.runIf(isSoakRun)(
  'uses the given commands and settings, remembers them, and forgets a command that is given as empty',
  async () => {
    const repo = await makeSampleRepo(home);
    writeFileSync(join(home, 'bug.md'), `# ${sampleIssue.title}\n\n${sampleIssue.body}`);
    const run = ['run', '--repo', repo, '--issue', 'bug.md', '--yes', '--json'];
    const commands = ['--setup', 'echo ready', '--test', 'node --test'];
    const given = await sluice(...run, ...commands, '--set', 'test_before_gate=false');
    expect(given.code, given.stderr).toBe(0);
    expect(given.stderr).toContain('$ echo ready');
    const remembered = await sluice(...run, '--setup', '');
    expect(remembered.code, remembered.stderr).toBe(0);
    expect(remembered.stderr).not.toContain('$ echo ready');
    for (const { stdout, stderr } of [given, remembered]) {
      expect(stderr).toMatch(/Plan, revision 1[\s\S]*\$ node --test/);
      expect(stderr).not.toMatch(/\$ node --test[\s\S]*Plan, revision 1/);
      expect(JSON.parse(stdout)).toMatchObject({ result: { tests: { command: 'node --test', verdict: 'green' } } });
    }
  },
);

it.runIf(isSoakRun)('ends with 7 and the reason when the pipeline fails', async () => {
  const repo = await makeSampleRepo(home);
  writeFileSync(join(home, 'worse.md'), 'Break it\n\n```js file=src/invoice.js\nthrow new Error("broken");\n```\n');
  const { code, stdout, stderr } = await sluice('run', '--repo', repo, '--issue', 'worse.md', '--yes');
  expect(code, stderr).toBe(7);
  expect(stdout).toMatch(/^Ended as failed: .*needs a model/);
  expect(stderr).toContain(`Retry with:  sluice run --repo '${repo}' --continue`);

  const again = await sluice('run', '--repo', repo, '--continue', '--yes');
  expect(again.code, again.stderr).toBe(7);
});

it('approves no plan that is known to fail', async () => {
  const repo = await makeSampleRepo(home);
  writeFileSync(join(home, 'wrong.md'), 'Rename it\n\nin `src/invoice.js` replace `nowhere` with `here`\n');
  const wrong = await sluice('run', '--repo', repo, '--issue', 'wrong.md', '--yes');
  expect(wrong.code, wrong.stderr).toBe(9); // nothing has failed
  expect(wrong.stderr).toMatch(/^sluice: The plan was not approved\. Its edit does not apply/m);
  expect(wrong.stderr).not.toContain('▸ implement');
  const left = await sluice('run', '--repo', repo, '--continue');
  expect(left.code, left.stderr).toBe(9);
  expect(left.stderr).toMatch(/The plan is waiting for a decision\. Decide with: sluice instruct/);
});

it('requests a new plan when the base has changed one of its files, and approves it with --yes', async () => {
  const repo = await makeSampleRepo(home);
  writeFileSync(join(home, 'bug.md'), `# ${sampleIssue.title}\n\n${sampleIssue.body}`);
  const waits = await sluice('run', '--repo', repo, '--issue', 'bug.md');
  expect(waits.code, waits.stderr).toBe(9);
  appendFileSync(join(repo, 'src/invoice.js'), '\n// seen by the bookkeeper\n');
  execFileSync('git', ['-C', repo, '-c', 'user.name=A', '-c', 'user.email=a@example.com', 'commit', '-qam', 'a note']);

  const continued = await sluice('run', '--repo', repo, '--continue', '--yes', '--json');
  expect(continued.code, continued.stderr).toBe(0);
  expect(continued.stderr).toContain(
    '! `main` has changed since the plan was made, in a file that the plan changes: src/invoice.js',
  );
  expect(continued.stderr).toContain('requested a new plan on the current base (--yes)');
  expect(continued.stderr).toContain('Plan, revision 2');
  const { result, plan } = JSON.parse(continued.stdout) as { result: { branch: string }; plan: { revision: number } };
  expect(plan.revision).toBe(2);
  const file = execFileSync('git', ['-C', repo, 'show', `${result.branch}:src/invoice.js`], { encoding: 'utf8' });
  expect(file).toContain('seen by the bookkeeper');
  expect(file).toContain('discountPercent / 100');
});

it('can be continued after an interrupt, and prints the command for it', async () => {
  const repo = await makeSampleRepo(join(home, 'my shop'));
  writeFileSync(join(home, 'bug.md'), `# ${sampleIssue.title}\n\n${sampleIssue.body}`);
  const run = [await builtProgram('sluice'), 'run'];
  const child = spawn(
    process.execPath,
    // Slow tests keep it running until the interrupt arrives.
    [...run, '--repo', repo, '--issue', 'bug.md', '--yes', '--test', 'sleep 6; node --test'],
    {
      cwd: home,
      env: { PATH: process.env.PATH, HOME: home, ...proxy.env },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  let stderr = '';
  for await (const chunk of child.stderr.setEncoding('utf8')) {
    stderr += chunk;
    if (!stderr.includes('✓ index') || child.killed) continue;
    child.kill('SIGINT');
    child.kill('SIGINT'); // under `npm run` one Ctrl-C arrives twice: from the terminal, and forwarded by npm
  }
  const [code] = child.exitCode === null ? await once(child, 'exit') : [child.exitCode];
  expect(code, stderr).toBe(130);
  expect(stderr).toMatch(
    /Interrupted\. No work is lost\. Continue with: sluice run --repo '[^']*my shop\/invoice' --continue\n$/,
  );
  const continued = await sluice('run', '--repo', repo, '--continue', '--yes');
  expect(continued.code, continued.stderr).toBe(0);
});

itConformsToOpenApi(() => proxy);
