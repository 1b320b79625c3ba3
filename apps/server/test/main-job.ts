import { afterAll, describe, expect, it } from 'vitest';
import { type AnIssue, anIssue } from './an-issue.ts';
import { type HttpSession, signUp } from './http-session.ts';
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
  });
}
