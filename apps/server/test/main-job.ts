import { afterAll, describe, expect, it } from 'vitest';
import { type AnIssue, anIssue } from './an-issue.ts';
import { type HttpSession, signUp } from './http-session.ts';
import { atGate } from './model-issue.ts';
import { fixingIssue, makeBuggyRepo, type ScratchRepo } from './scratch-repo.ts';

const approve = { action: 'approve' };

export type Server = { readonly url: string } & AsyncDisposable;

/** All tests of the caller share one server, and each has a person and a repository. */
export function useOneServer(start: (environment: Record<string, string>) => Promise<Server>) {
  let server: Server | null = null;
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
  });
  return async (repo: ScratchRepo, issue = fixingIssue): Promise<AnIssue & { readonly person: HttpSession }> => {
    server ??= await start({ LIMIT_REGISTER: '0' });
    const person = await signUp(server.url);
    return { person, ...(await anIssue(person, { repo, issue })) };
  };
}

/** The main job, whatever the service stands on. */
export function mainJob(mode: string, start: (environment: Record<string, string>) => Promise<Server>): void {
  describe(`an issue from start to end, ${mode}`, () => {
    const begin = useOneServer(start);

    it("takes an issue from report to a tested branch at its origin, without touching the user's checkout", async () => {
      const repo = makeBuggyRepo();
      repo.git('commit', '--allow-empty', '-q', '-m', 'second');
      const before = { head: repo.git('rev-parse', 'HEAD'), branch: repo.git('branch', '--show-current') };
      const { person, id } = await begin(repo);

      const waiting = await person.reaches(id, 'awaiting_approval');
      expect(waiting.plan?.steps.flatMap((step) => step.files)).toContain('value.txt');
      expect(waiting.plan?.steps.map((step) => step.detail).join('\n')).toContain('fixed');
      expect(waiting.gate).toMatchObject({ kind: 'plan', revision: 1 });
      expect((await person.call('POST', `/api/issues/${id}/approve`, approve)).status).toBe(200);
      const done = await person.reaches(id, 'completed');

      expect(done.result?.tests).toMatchObject({ verdict: 'green', exit_code: 0, new_failures: [] });
      expect(done.result?.tests?.base_exit_code).not.toBe(0);
      const branch = done.result?.branch ?? '';
      expect(branch).toMatch(/^sluice\/[0-9a-f]{8}-the-value-is-broken$/);
      expect(repo.git('rev-parse', branch)).toBe(done.result?.head_commit);
      expect(repo.git('show', `${branch}:value.txt`)).toBe('fixed');
      expect(repo.git('log', '-1', '--format=%B', branch)).toContain(`Sluice-Issue: ${id}`);
      expect(repo.git('rev-parse', `${branch}~1`)).toBe(before.head);
      expect({ head: repo.git('rev-parse', 'HEAD'), branch: repo.git('branch', '--show-current') }).toEqual(before);
      expect(repo.git('status', '--porcelain')).toBe('');
    });

    it('records gapless events, which a late reader receives identically', async () => {
      const repo = makeBuggyRepo();
      const { person, id } = await begin(repo);
      await person.reaches(id, 'awaiting_approval');
      await person.call('POST', `/api/issues/${id}/approve`, approve);
      await person.reaches(id, 'completed');
      const events = (await person.events(id)).filter((event) => 'seq' in event);
      expect(events.map((event) => event.seq)).toEqual(events.map((_event, index) => index + 1));
      const stages = events.flatMap((event) => (event.type === 'stage.completed' ? [event.data.stage] : []));
      expect(stages).toEqual(['prepare', 'index', 'triage', 'plan', 'implement', 'test', 'review', 'publish']);
      expect(events.at(-1)).toMatchObject({ type: 'issue.status', data: { to: 'completed' } });
      expect(await person.events(id)).toEqual(events);
    });

    it('plans again with the guidance of an instruct, and implements the new plan', async () => {
      const repo = makeBuggyRepo();
      const { person, id } = await begin(repo, { title: 'The value is broken', body: 'please repair it' });
      const first = await person.reaches(id, 'awaiting_approval');
      expect(first.plan?.risks.join(' ')).toMatch(/model/);
      expect(first).toMatchObject({
        triage: {
          kind: expect.any(String),
          risk: expect.any(String),
          open_questions: [expect.stringMatching(/Which edit exactly/)],
        },
        commands: { test: { command: expect.stringContaining('test'), source: expect.any(String) } },
        budget: { tokens: { used: 0 }, cost_usd: { used: 0 }, active_ms: { used: expect.any(Number) } },
      });
      const guidance = 'in `value.txt` replace `broken` with `fixed`';
      expect((await person.call('POST', `/api/issues/${id}/approve`, { action: 'instruct', guidance })).status).toBe(
        200,
      );
      const events = await person.events(
        id,
        (event) => event.type === 'plan.created' && event.data.plan.revision === 2,
      );
      expect(events.at(-1)).toMatchObject({ data: { plan: { revision: 2, guidance }, triage: first.triage } });
      const second = await atGate(person, id, 2);
      expect(Date.parse(second.gate?.expires_at ?? '')).toBeGreaterThan(Date.parse(first.gate?.expires_at ?? ''));
      expect((await person.call('POST', `/api/issues/${id}/approve`, { ...approve, revision: 1 })).status).toBe(409);
      expect((await person.call('POST', `/api/issues/${id}/approve`, { ...approve, revision: 2 })).status).toBe(200);
      const done = await person.reaches(id, 'completed');
      expect(repo.git('show', `${done.result?.branch}:value.txt`)).toBe('fixed');
    });
  });
}
