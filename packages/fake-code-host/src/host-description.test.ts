import { expect, it } from 'vitest';
import { judgeByDescription } from './host-description.ts';
import { scratchOrigin } from './people/scratch-origin.ts';
import { readDescription } from './read-description.ts';
import { startCodeHost } from './start-code-host.ts';

const description = judgeByDescription(readDescription('codehost-api'));
const REPO = 'ann/widget';

it('answers everything in the shape that the provider describes', async () => {
  using origin = scratchOrigin();
  await using host = await startCodeHost();
  for (const login of ['ann', 'bob']) host.addUser({ login });
  await host.addRepo({ fullName: REPO, from: origin.path, private: true, description: 'widgets' });
  host.setPermission(REPO, { login: 'bob', permission: 'read' });
  const issue = {
    repo: REPO,
    number: host.openIssue(REPO, { title: 'broken', by: 'bob', labels: ['bug'] }),
    by: 'bob',
  };
  const comment = host.comment(issue, 'please');
  host.openIssue(REPO, { title: 'done', by: 'ann' });
  host.close({ repo: REPO, number: 2, by: 'ann' });
  await host.push(REPO, { by: 'ann', branch: 'old', files: { 'b.txt': 'b\n' } });
  await host.openPull(REPO, { title: 'old', head: 'old', base: 'main', by: 'ann' });
  await host.merge({ repo: REPO, number: 3, by: 'ann' });
  await host.push(REPO, { by: 'ann', branch: 'work', files: { 'a.txt': 'a\n' } });
  const ann = host.issueToken('ann');
  const bob = host.issueToken('bob');

  const ask = async (token: string, request: string, body?: object) => {
    const [method = '', path = ''] = request.split(' ');
    const response = await fetch(`${host.apiUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = { method, path: path.split('?')[0] ?? '', status: response.status, body: await response.json() };
    return { line: `${method} ${answer.path} ${answer.status}`, problems: description.problems(answer) };
  };
  const draft = { title: 'A change', head: 'work', base: 'main', body: 'text', draft: true };
  const repo = `/repos/${REPO}`;
  const answers = [
    await ask(ann, 'GET /user'),
    await ask('unknown', 'GET /user'),
    await ask(ann, 'GET /user/repos'),
    await ask(ann, `GET ${repo}`),
    await ask(ann, 'GET /repos/ann/absent'),
    await ask(ann, `GET ${repo}/labels`),
    await ask(ann, 'GET /users/bob'),
    await ask(ann, 'GET /users/absent'),
    await ask(ann, `GET ${repo}/collaborators?affiliation=all`),
    await ask(ann, `GET ${repo}/collaborators/bob/permission`),
    await ask(ann, `POST ${repo}/pulls`, draft),
    await ask(ann, `POST ${repo}/pulls`, draft),
    await ask(bob, `POST ${repo}/pulls`, draft),
  ];
  host.review({ repo: REPO, number: 4, by: 'bob' }, { state: 'COMMENTED', body: 'hm' });
  const onLine = { repo: REPO, number: 4, by: 'bob' };
  const line = host.commentLine(onLine, { path: 'a.txt', line: 1, body: 'here' });
  host.commentLine(onLine, { path: 'a.txt', line: null, body: 'there', replyTo: line });
  answers.push(
    await ask(ann, `GET ${repo}/pulls?state=all`),
    await ask(ann, `GET ${repo}/pulls/3`),
    await ask(ann, `GET ${repo}/pulls/4`),
    await ask(ann, `PATCH ${repo}/pulls/4`, { body: 'more' }),
    await ask(ann, `GET ${repo}/pulls/4/reviews`),
    await ask(ann, `GET ${repo}/pulls/4/comments`),
    await ask(ann, `GET ${repo}/pulls/comments?sort=updated&direction=desc`),
    await ask(ann, `GET ${repo}/pulls/comments/${line}`),
    await ask(ann, `PATCH ${repo}/pulls/comments/${line}`, { body: 'better' }),
    await ask(ann, `POST ${repo}/pulls/4/comments/${line}/replies`, { body: 'so' }),
    await ask(ann, `GET ${repo}/issues?state=all`),
    await ask(ann, `GET /search/issues?q=repo:${REPO}+in:title+"broken"`),
    await ask(ann, 'GET /search/issues?q=repo:ann/absent+broken'),
    await ask(ann, `GET ${repo}/issues/1`),
    await ask(ann, `GET ${repo}/issues/99`),
    await ask(ann, `POST ${repo}/issues`, { title: 'another' }),
    await ask(ann, `GET ${repo}/issues/1/comments`),
    await ask(ann, `POST ${repo}/issues/1/comments`, { body: 'yes' }),
    await ask(ann, `POST ${repo}/issues/1/comments`, { body: '' }),
    await ask(ann, `GET ${repo}/issues/comments/${comment}`),
    await ask(ann, `PATCH ${repo}/issues/comments/${comment}`, { body: 'edited' }),
  );
  expect(answers.filter(({ problems }) => problems === null)).toEqual([]);
  expect(answers.filter(({ problems }) => problems?.length !== 0)).toEqual([]);
});

it('finds what an answer lacks, and knows no answer that is not described', () => {
  const path = `/repos/${REPO}/issues/7/comments`;
  const lacking = description.problems({ method: 'GET', path, status: 200, body: [{ id: 'x' }] });
  expect(lacking).toContain("/0 must have required property 'user'");
  expect(lacking).toContain('/0/id must be integer');
  expect(description.problems({ method: 'DELETE', path, status: 200, body: {} })).toBeNull();
});
