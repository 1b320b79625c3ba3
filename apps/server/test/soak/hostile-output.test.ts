import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { IssueWire } from '@sluice/core/issue';
import type { RepoWire } from '@sluice/core/repo';
import { untilFound } from '@sluice/testing';
import { describe, expect, it } from 'vitest';
import { type HttpSession, signUp } from '../http-session.ts';
import { fixingIssue, makeBuggyRepo } from '../scratch-repo.ts';
import { type ServiceProcess, startProcess } from '../service-process.ts';

/** An issue on a repository with this test script, from where its plan was approved. */
async function approvedIssue(person: HttpSession, testScript: string): Promise<string> {
  const { body: repo } = await person.call<RepoWire>('POST', '/api/repos', {
    url: makeBuggyRepo({ testScript }).path,
    settings: { allow_red_base: true, test_before_gate: false }, // what hangs is read after the approval
  });
  const { body } = await person.call<IssueWire>('POST', '/api/issues', { repo_id: repo.id, ...fixingIssue });
  await person.reaches(body.id, 'awaiting_approval');
  await person.call('POST', `/api/issues/${body.id}/approve`, { action: 'approve' });
  return body.id;
}

/** Asks the service for a sign of life, again and again, until `stop`. */
function watchHealth(url: string) {
  let answers = 0;
  let isOver = false;
  const failures: unknown[] = [];
  const watching = (async () => {
    while (!isOver) {
      try {
        // Far above what a busy machine explains; an output that was read on the event loop took minutes.
        const answer = await fetch(`${url}/api/health/live`, { signal: AbortSignal.timeout(10_000) });
        if (answer.ok) answers += 1;
        else failures.push(answer.status);
      } catch (error) {
        failures.push(error);
      }
      await pause(20);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await watching;
      return { answers, failures };
    },
  };
}

describe('an output that is crafted to be slow to parse', () => {
  it.each([
    ['unterminated titles', '\\033]0;'],
    ['unterminated titles in the 8-bit form', '\\302\\235'],
  ])('delays no other request: %s', async (_what, unit) => {
    const server = await startProcess({ TEST_ROUNDS: '0' });
    const person = await signUp(server.url);
    const health = watchHealth(server.url);
    const flood = `yes "$(printf '${unit}')" | tr -d '\\n' | head -c 1048000\nexit 1\n`;
    const id = await approvedIssue(person, flood);
    await person.events(id);
    const issue = await person.issue(id);
    expect(issue).toMatchObject({ status: 'failed', error: { stage: 'test' } });
    expect(issue.error?.detail).not.toContain('is not known'); // it was read to its end
    const { answers, failures } = await health.stop();
    expect(failures).toEqual([]);
    expect(answers).toBeGreaterThan(10);
    expect(await server.stop()).toBe(0);
    rmSync(server.dataDir, { recursive: true, force: true });
  });
});

describe('an output whose parser hangs', () => {
  const preload = ['--import', import.meta.resolve('../hanging-reader-preload.ts')];

  async function untilReading({ dataDir }: ServiceProcess): Promise<void> {
    const mark = join(dataDir, 'reading');
    await untilFound(() => existsSync(mark));
    rmSync(mark);
  }

  it('does not block a stop, and after two crashes the exit code decides while others continue', async () => {
    const stopped = await startProcess({}, preload);
    const { dataDir } = stopped;
    const restart = () => startProcess({ DATA_DIR: dataDir }, preload);
    const person = await signUp(stopped.url);
    const id = await approvedIssue(person, 'grep -qx fixed value.txt || { echo "not ok 1 - value"; exit 1; }\n');
    await untilReading(stopped);
    expect((await fetch(`${stopped.url}/api/health/live`)).status).toBe(200);
    const toldAt = performance.now();
    expect(await stopped.stop()).toBe(0);
    expect(performance.now() - toldAt).toBeLessThan(20_000); // some 5 s, 9 at most; the thread is given up only after 30

    for (let deaths = 0; deaths < 2; deaths += 1) {
      const killed = await restart();
      await untilReading(killed);
      await killed.kill();
    }

    const last = await restart();
    const there = person.at(last.url);
    await there.events(id);
    expect(await there.issue(id)).toMatchObject({ status: 'completed', result: { tests: { verdict: 'green' } } });
    expect(existsSync(join(dataDir, 'reading'))).toBe(false);
    const told = (await there.events(id, () => false)).flatMap((event) =>
      event.type === 'agent.message' ? [event.data.text] : [],
    );
    expect(told.join('\n')).toContain('the service died twice while it read their output');
    const other = await approvedIssue(there, 'true\n');
    await there.events(other);
    expect(await there.issue(other)).toMatchObject({ status: 'completed' });
    expect(await last.stop()).toBe(0);
    rmSync(dataDir, { recursive: true, force: true });
  });
});
