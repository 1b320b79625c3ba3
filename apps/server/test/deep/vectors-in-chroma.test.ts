import type { IssueWire } from '@sluice/core/issue';
import { type ChromaServer, eventually, startChromaServer } from '@sluice/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { byRole } from '../model-answers.ts';
import { atGate, beginModelIssue } from '../model-issue.ts';
import { makeBuggyRepo } from '../scratch-repo.ts';
import { type SharedServices, sharedServices } from '../shared-services.ts';

// Usual way: packages/code-search/src/chroma/create-chroma-vector-store.test.ts

const issue = { title: 'The value is broken', body: 'The check says so. Mend it.' };
const wordless = 'quokka zeitgeist'; // nowhere in the repository

let services: SharedServices;
let chroma: ChromaServer;
beforeAll(async () => {
  [services, chroma] = await Promise.all([sharedServices(), startChromaServer()]);
});
afterAll(async () => {
  await Promise.all([services[Symbol.asyncDispose](), chroma[Symbol.asyncDispose]()]);
});

it('finds code by meaning through Chroma, completes issues by words while it is gone, and makes good', async () => {
  const environment = {
    ...(await services.installation()),
    CHROMA_URL: chroma.url.href,
    EMBEDDING_MODEL: 'openai/text-embedding-3-small',
  };
  await using it = await beginModelIssue({
    script: byRole({}),
    repo: makeBuggyRepo(),
    issue,
    provider: 'openai',
    environment,
  });
  const { person, repoId } = it;
  const found = async (query: string) => {
    const path = `/api/repos/${repoId}/search?q=${encodeURIComponent(query)}`;
    const answer = await person.call<{ items: readonly { path: string }[] }>('GET', path);
    expect(answer.status).toBe(200);
    return answer.body.items.map((hit) => hit.path);
  };
  /** A check may take two seconds, which a busy machine may need now and then. */
  const isReady = (wanted: readonly unknown[]) => eventually(async () => expect(await ready()).toEqual(wanted), 200);
  const ready = async () => {
    const answer = await person.call<{ checks: Record<string, { status: string }> }>('GET', '/api/health/ready');
    return [answer.status, answer.body.checks.vector_store?.status];
  };
  const completed = async (id: string) => {
    await atGate(person, id, 1);
    await person.call('POST', `/api/issues/${id}/approve`, { action: 'approve', revision: 1 });
    await person.reaches(id, 'completed');
    return (await person.events(id)).flatMap((event) =>
      event.type === 'agent.message' && event.data.agent === 'service' ? [event.data.text] : [],
    );
  };
  const another = async () => {
    const created = await person.call<IssueWire>('POST', '/api/issues', { repo_id: repoId, ...issue });
    expect(created.status).toBe(201);
    return created.body.id;
  };

  expect(await completed(it.id)).not.toContainEqual(expect.stringContaining('searched by meaning'));
  expect(await found(wordless)).toContain('value.txt');
  await isReady([200, 'up']);

  await chroma.kill();
  await isReady([503, 'down']);
  expect(await completed(await another())).toContainEqual(
    expect.stringContaining('Code is not fully searched by meaning: The vector store could not be reached.'),
  );
  expect(await found('broken')).toContain('value.txt');
  expect(await found(wordless)).toEqual([]);

  await chroma.startEmpty();
  expect(await completed(await another())).not.toContainEqual(expect.stringContaining('searched by meaning'));
  expect(await found(wordless)).toContain('value.txt');
  await isReady([200, 'up']);
});
