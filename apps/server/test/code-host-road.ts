import { execFileSync } from 'node:child_process';
import type { IssueWire } from '@sluice/core/issue';
import type { RepoWire } from '@sluice/core/repo';
import { describe, expect, it } from 'vitest';
import { openBrowser, signInWithBrowser } from './code-host-browser.ts';
import { aCodeHost, callbackOf, codehostEnvironment, HOSTED } from './code-host-scene.ts';
import type { ScratchServer } from './scratch-server.ts';

type StartServer = (environment: Record<string, string>) => Promise<ScratchServer>;

/** From the code host and back to it, whatever the service stands on. */
export function codehostRoad(mode: string, start: StartServer): void {
  describe(`an issue from the code host and back, ${mode}`, () => {
    it('leads from a sign-in to an imported issue, one pull request and a comment on the issue', async () => {
      await using host = await aCodeHost();
      await using server = await start(codehostEnvironment(host));
      host.allowRedirectTo(callbackOf(server.url));
      await using browser = await openBrowser();
      const ann = await signInWithBrowser(await browser.newPage(), server.url, 'ann');
      expect((await ann.call('GET', '/api/auth/me')).body).toMatchObject({ codehost_login: 'ann' });

      const listed = await ann.call('GET', '/api/codehost/repos?q=widg');
      expect(listed.body).toMatchObject({ items: [{ full_name: HOSTED, private: true, registered_repo_id: null }] });
      const repo = await ann.call<RepoWire>('POST', '/api/repos', { codehost_repo: HOSTED });
      expect(repo.status, JSON.stringify(repo.body)).toBe(201);
      expect(repo.body).toMatchObject({ name: HOSTED, provider: 'codehost', default_branch: 'main' });

      const issues = async () => (await ann.call<{ items: object[] }>('GET', `/api/repos/${repo.body.id}/issues`)).body;
      expect((await issues()).items).toMatchObject([{ number: 7, imported_issue_id: null }]);
      const imported = await ann.call<IssueWire>('POST', '/api/issues/import', { repo_id: repo.body.id, number: 7 });
      expect(imported.status, JSON.stringify(imported.body)).toBe(201);
      const { id } = imported.body;
      expect(imported.body).toMatchObject({
        status: 'pending',
        origin: 'codehost',
        codehost_number: 7,
        labels: ['bug'],
      });
      expect((await issues()).items).toMatchObject([{ number: 7, imported_issue_id: id }]);
      expect((await ann.call('POST', '/api/issues/import', { repo_id: repo.body.id, number: 7 })).status).toBe(409);

      expect((await ann.call('POST', `/api/issues/${id}/run`)).status).toBe(200);
      await ann.reaches(id, 'awaiting_approval');
      expect(host.requests.filter(({ write, path }) => write && !path.startsWith('/login'))).toEqual([]);
      expect((await ann.call('POST', `/api/issues/${id}/approve`, { action: 'approve' })).status).toBe(200);
      const { result } = await ann.reaches(id, 'completed');

      const [byHand, made, ...others] = await host.pulls(HOSTED);
      expect([byHand?.author, others]).toEqual(['ann', []]);
      expect(made).toMatchObject({ author: 'ann', state: 'open', draft: true, base: 'main', head: result?.branch });
      expect(made?.headCommit).toBe(result?.head_commit);
      expect(made?.body).toContain('#7');
      expect(await host.git(HOSTED, 'show', `${result?.branch}:value.txt`)).toBe('fixed');
      expect(result?.change_request_url).toBe(`${host.url}/${HOSTED}/pull/${made?.number}`);
      expect(host.comments(HOSTED, 7)).toMatchObject([
        { author: 'ann', body: expect.stringContaining(`#${made?.number}`) },
      ]);

      for (const secret of host.secrets()) {
        // Status 1: found nowhere in the data folder, where database, log, clone and workspace are.
        expect(() => execFileSync('grep', ['-rqaF', secret, server.dataDir], { stdio: 'ignore' })).toThrow(
          expect.objectContaining({ status: 1 }),
        );
      }
    });
  });
}
