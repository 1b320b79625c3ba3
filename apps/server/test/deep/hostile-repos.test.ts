import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { IssueWire } from '@sluice/core/issue';
import { eventually, isSoakRun } from '@sluice/testing';
import { describe, expect, it } from 'vitest';
import { anIssueAtGate } from '../an-issue.ts';
import { type HttpSession, signUp } from '../http-session.ts';
import { makeBuggyRepo, type ScratchRepo } from '../scratch-repo.ts';
import { startScratchServer } from '../scratch-server.ts';

// Usual way: packages/sandbox/src/bwrap/bwrap-sandbox.test.ts

const PASSES_WHEN_FIXED = 'grep -qx fixed value.txt\n';

/** Runs the whole pipeline on a repository with this hostile test script; the script's own last line decides the test. */
async function runHostile(script: string, environment: Record<string, string> = {}) {
  const server = await startScratchServer(environment);
  const person = await signUp(server.url);
  const repo = makeBuggyRepo({ testScript: script });
  // Otherwise what breaks the tests at the base ends the issue before its gate.
  const settings = { test_before_gate: false };
  const { id } = await anIssueAtGate(person, { repo, fields: { settings } });
  await person.call('POST', `/api/issues/${id}/approve`, { action: 'approve' });
  await person.events(id);
  return { server, person, repo, issue: await person.issue(id), output: await outputOf(person, id) };
}

async function outputOf(person: HttpSession, id: string): Promise<string> {
  const log = await person.call<{ items: { text: string }[] }>('GET', `/api/issues/${id}/log`);
  return log.body.items.map((line) => line.text).join('');
}

function changedFiles(repo: ScratchRepo, issue: IssueWire): string {
  return repo.git('diff', '--name-only', 'main', issue.result?.branch ?? 'main');
}

/** Processes of this machine whose command line holds a word. */
function alive(word: string): string[] {
  return readdirSync('/proc').filter((entry) => {
    try {
      return /^\d+$/.test(entry) && readFileSync(`/proc/${entry}/cmdline`, 'utf8').includes(word);
    } catch {
      return false;
    }
  });
}

describe('a hostile repository', () => {
  it('cannot read the shadow file, the service’s environment, its database or other working trees', async () => {
    const canary = 'CANARY-7d1f';
    const script = `
cat /etc/shadow && echo LEAK-shadow
for pid in /proc/[0-9]*; do tr '\\0' '\\n' < $pid/environ 2>/dev/null; done
find / \\( -path /usr -o -path /proc \\) -prune -o \\( -name sluice.db -o -name code-index.db -o -name secrets.json -o -name account.json \\) -print 2>/dev/null | sed 's/^/LEAK-file /'
ls -d /root/* /home/*/* 2>/dev/null | sed 's/^/LEAK-path /'
find /tmp -type f -not -path '*/caches/*' 2>/dev/null | sed 's/^/LEAK-path /'
ls -d /tmp/sluice-*/workspaces/trees/* 2>/dev/null | sed 's/^/LEAK-tree /'
echo LOOKED EVERYWHERE as $(id -u)
${PASSES_WHEN_FIXED}`;
    process.env.SLUICE_TEST_SECRET = canary;
    const { server, output, issue } = await runHostile(script, { SESSION_SECRET: `${canary}-${'x'.repeat(40)}` });
    await using _ = server;
    delete process.env.SLUICE_TEST_SECRET;
    expect(issue.error).toBeNull();
    expect(output).not.toContain(canary);
    expect(output).not.toContain('LEAK');
    expect(output).toMatch(/^LOOKED EVERYWHERE as [1-9]/m);
  });

  it('cannot reach the network, not even this machine', async () => {
    const listener = createServer((socket) => socket.end('LEAK-connected')).listen(0, '127.0.0.1');
    await new Promise((resolve) => listener.once('listening', resolve));
    const address = listener.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const script = `
(exec 3<>/dev/tcp/127.0.0.1/${port}; cat <&3) 2>&1
bash -c 'exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3' 2>&1
getent hosts example.com && echo LEAK-dns
echo TRIED
ls /sys/class/net 2>/dev/null | grep -v '^lo$' | sed 's/^/LEAK-device /'
${PASSES_WHEN_FIXED}`;
    const { server, output, issue } = await runHostile(script);
    await using _ = server;
    listener.close();
    expect(issue.error).toBeNull();
    expect(output).toContain('TRIED');
    expect(output).not.toContain('LEAK');
  });

  it.runIf(isSoakRun)('is ended when it forks without end, and the host goes on', async () => {
    const marker = `sluice-bomb-${process.pid}`;
    const { server, issue, person } = await runHostile(`sh -c ': ${marker}; sleep 600' & f() { f | f & }; f; wait\n`, {
      STAGE_TIMEOUT: '20s',
    });
    await using _ = server;
    expect(issue.error).not.toBeNull();
    await eventually(() => expect(alive(marker)).toEqual([])); // by themselves they would sleep for ten minutes
    expect((await person.call('GET', '/api/auth/me')).status).toBe(200);
  });

  // It writes six gibibytes. The sandbox's own tests meet the same limit with small ones.
  it.runIf(isSoakRun)('cannot fill the disk', async () => {
    const script = `dd if=/dev/zero of=big bs=1M count=10240 2>&1 | tail -1\nfor i in $(seq 1 400); do dd if=/dev/zero of=part-$i bs=1M count=64 2>/dev/null || break; done\necho ALL WRITTEN\n${PASSES_WHEN_FIXED}`;
    const { server, issue, output } = await runHostile(script);
    await using _ = server;
    expect(issue.error?.detail).toContain('wrote more than 6144 MiB');
    // A single file has a lower limit.
    expect(output).toContain('File size limit exceeded');
    expect(output).not.toContain('ALL WRITTEN');
  });

  it.runIf(isSoakRun)('cannot flood the service with output', async () => {
    const { server, issue, output } = await runHostile('yes "a flood of words" \n');
    await using _ = server;
    expect(issue.error?.detail).toContain('the limit on output ended them');
    expect(output.length).toBeLessThan(8 * 1024 * 1024);
  });

  it('cannot outlive its run', async () => {
    const marker = `sluice-survivor-${process.pid}`;
    const script = `(setsid nohup sh -c ': ${marker}; sleep 600' >/dev/null 2>&1 &)\nsh -c ': ${marker}; (sleep 600 &)' \necho STARTED\n${PASSES_WHEN_FIXED}`;
    const { server, issue, output } = await runHostile(script);
    await using _ = server;
    expect(issue.error).toBeNull();
    expect(output).toContain('STARTED');
    await eventually(() => expect(alive(marker)).toEqual([])); // by themselves they would sleep for ten minutes
  });

  it('cannot have its hooks, filters, nested repositories or replaced git directory run on the host', async () => {
    const proof = join('/tmp', `sluice-proof-${process.pid}`);
    const attack = `touch ${proof}; touch /tmp/ran`;
    const script = `
rm -f .git 2>/dev/null
mkdir -p .git/hooks 2>/dev/null && printf '#!/bin/sh\\n${attack}\\n' > .git/hooks/pre-commit && chmod +x .git/hooks/pre-commit
printf '[core]\\n fsmonitor = "${attack}"\\n hooksPath = hooks\\n[filter "x"]\\n clean = "${attack}"\\n smudge = "${attack}"\\n[diff "x"]\\n textconv = "${attack}"\\n command = "${attack}"\\n' > planted-config
cp planted-config .git/config 2>/dev/null
cp planted-config .gitconfig
printf '* filter=x diff=x\\n' > .gitattributes
mkdir -p nested && cd nested && git init -q . 2>/dev/null && cp ../planted-config .git/config; cd ..
mkdir -p hooks && printf '#!/bin/sh\\n${attack}\\n' > hooks/pre-push && chmod +x hooks/pre-push && cp hooks/pre-push hooks/pre-commit
${PASSES_WHEN_FIXED}`;
    const { server, issue, repo } = await runHostile(script);
    await using _ = server;
    expect(existsSync(proof)).toBe(false);
    if (issue.result !== null) expect(changedFiles(repo, issue)).toBe('value.txt');
    else expect(issue.error?.detail).toBeTruthy();
  });

  it.runIf(isSoakRun)('cannot slip its own edits into the branch while it is tested', async () => {
    const script = `echo 'echo stolen' > payload.sh\necho fixed-by-the-test > value.txt.new\nif grep -qx fixed value.txt; then printf 'fixed\\nsmuggled\\n' > value.txt; exit 0; fi\nexit 1\n`;
    const { server, issue, repo } = await runHostile(script);
    await using _ = server;
    expect(issue.result).not.toBeNull();
    expect(changedFiles(repo, issue)).toBe('value.txt');
    expect(repo.git('show', `${issue.result?.branch}:value.txt`)).toBe('fixed');
  });
});
