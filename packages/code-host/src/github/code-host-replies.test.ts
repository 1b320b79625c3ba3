import { afterAll, beforeAll, expect, it } from 'vitest';
import { type HostBench, openHostBench } from '../../test/host-bench.ts';

const REPO = 'ada/engine';
const MARKER = '<!-- sluice:remark/1 -->';

// All cases share the host, and each has a pull request of its own.
let bench: HostBench;
let pulls = 0;
beforeAll(async () => {
  bench = await openHostBench();
  bench.there.addUser({ login: 'bob' });
});
afterAll(() => bench[Symbol.asyncDispose]());

async function openPull() {
  const { there, host, ada } = bench;
  pulls += 1;
  const head = `b${pulls}`;
  await there.push(REPO, { by: 'ada', branch: head, files: { 'a.txt': `a${pulls}` } });
  const number = await there.openPull(REPO, { title: 'A', head, base: 'main', by: 'ada' });
  const remark = (body: string, more: { replyTo?: number; by?: string } = {}) => {
    const { by = 'bob', ...rest } = more;
    return there.commentLine({ repo: REPO, number, by }, { path: 'a.txt', line: 1, body, ...rest });
  };
  const reply = (to: number, body: string, marker = MARKER) =>
    host.replyToComment(ada, REPO, { number, commentId: `line-${to}`, marker, body });
  const ours = () => there.lineComments(REPO, number).filter(({ body }) => body.startsWith('<!-- sluice:'));
  return { number, remark, reply, ours };
}

it('answers in the thread of a remark once, and edits its answer in place', async () => {
  const pull = await openPull();
  const { clock } = bench;
  const [first, other] = [pull.remark('This'), pull.remark('That')];
  const put = await pull.reply(first, 'Done.');
  clock.advance(1_000);
  expect(await pull.reply(first, 'Done.')).toEqual(put);
  expect(pull.ours()).toMatchObject([{ replyTo: first, body: `${MARKER}\nDone.`, isEdited: false }]);
  expect(put.id).toBe(`line-${pull.ours()[0]?.id}`);
  expect(await pull.reply(first, 'Declined.')).toEqual(put);
  expect(pull.ours()).toMatchObject([{ body: `${MARKER}\nDeclined.`, isEdited: true }]);
  await pull.reply(other, 'Which?');
  expect(pull.ours().map(({ replyTo }) => replyTo)).toEqual([first, other]);
});

it('answers an answer in its thread, several times by several markers', async () => {
  const pull = await openPull();
  const first = pull.remark('This');
  const second = pull.remark('And why?', { replyTo: first });
  await pull.reply(second, 'Done.');
  await pull.reply(first, 'Because.', '<!-- sluice:remark/2 -->');
  expect(pull.ours().map(({ replyTo, body }) => [replyTo, body.split('\n')[1]])).toEqual([
    [first, 'Done.'],
    [first, 'Because.'],
  ]);
});

it("takes no other author's copy of the marker for its own answer", async () => {
  const pull = await openPull();
  const first = pull.remark('This');
  pull.remark(`${MARKER}\nMine.`, { replyTo: first });
  await pull.reply(first, 'Done.');
  expect(pull.ours().map(({ author, body }) => [author, body])).toEqual([
    ['bob', `${MARKER}\nMine.`],
    ['ada', `${MARKER}\nDone.`],
  ]);
});

it.each(['lost', 'cut'] as const)('finds the answer whose response was %s, without writing it again', async (kind) => {
  const pull = await openPull();
  const first = pull.remark('This');
  const fault = bench.there.arm({ on: /\/replies$/, fault: { kind } });
  const { id } = await pull.reply(first, 'Done.');
  expect(fault.hits).toBe(1);
  expect(pull.ours().map((one) => `line-${one.id}`)).toEqual([id]);
});

it('answers once for concurrent calls', async () => {
  const pull = await openPull();
  const first = pull.remark('This');
  const put = await Promise.all(['One', 'Two', 'Three'].map((body) => pull.reply(first, body)));
  expect(new Set(put.map(({ id }) => id)).size).toBe(1);
  expect(pull.ours()).toHaveLength(1);
});

it('asks its caller before it answers', async () => {
  const pull = await openPull();
  const { host, ada } = bench;
  const { number } = pull;
  const commentId = `line-${pull.remark('This')}`;
  const beforeWrite = () => Promise.reject(new Error('The lease is lost.'));
  const answer = host.replyToComment({ ...ada, beforeWrite }, REPO, {
    number,
    commentId,
    marker: MARKER,
    body: 'Done.',
  });
  await expect(answer).rejects.toThrow('The lease is lost.');
  expect(pull.ours()).toEqual([]);
});

it.each(['line-99999', 'line-0', 'issue-7', 'review-7', 'line-7/../8'])('finds no remark %s', async (commentId) => {
  const { host, ada } = bench;
  const { number } = await openPull();
  const answer = host.replyToComment(ada, REPO, { number, commentId, marker: MARKER, body: 'Done.' });
  await expect(answer).rejects.toMatchObject({ code: 'codehost_not_found' });
});

it('keeps several comments of its own in one conversation, by their markers', async () => {
  const { there, host, ada } = bench;
  const { number } = await openPull();
  const put = (marker: string, body: string) => host.putComment(ada, REPO, { number, marker, body });
  await put('<!-- sluice:remark/1 -->', 'One');
  await put('<!-- sluice:remark/12 -->', 'Twelve');
  await put('<!-- sluice:remark/1 -->', 'One again');
  expect(there.comments(REPO, number).map(({ body }) => body.split('\n')[1])).toEqual(['One again', 'Twelve']);
});
