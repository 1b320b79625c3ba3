import { expect, it } from 'vitest';
import { openHostBench } from '../../test/host-bench.ts';

const REPO = 'ada/engine';
const MARKER = '<!-- sluice:remark/1 -->';

async function openRemarkBench() {
  const bench = await openHostBench();
  const { there, host, ada } = bench;
  there.addUser({ login: 'bob' });
  await there.push(REPO, { by: 'ada', branch: 'b', files: { 'a.txt': 'a' } });
  const number = await there.openPull(REPO, { title: 'A', head: 'b', base: 'main', by: 'ada' });
  const remark = (body: string, more: { replyTo?: number; by?: string } = {}) => {
    const { by = 'bob', ...rest } = more;
    return there.commentLine({ repo: REPO, number, by }, { path: 'a.txt', line: 1, body, ...rest });
  };
  const reply = (to: number, body: string, marker = MARKER) =>
    host.replyToComment(ada, REPO, { number, commentId: `line-${to}`, marker, body });
  const ours = () => there.lineComments(REPO, number).filter(({ body }) => body.startsWith('<!-- sluice:'));
  return Object.assign(bench, { number, remark, reply, ours });
}

it('answers in the thread of a remark once, and edits its answer in place', async () => {
  await using bench = await openRemarkBench();
  const { clock } = bench;
  const [first, other] = [bench.remark('This'), bench.remark('That')];
  const put = await bench.reply(first, 'Done.');
  clock.advance(1_000);
  expect(await bench.reply(first, 'Done.')).toEqual(put);
  expect(bench.ours()).toMatchObject([{ replyTo: first, body: `${MARKER}\nDone.`, isEdited: false }]);
  expect(put.id).toBe(`line-${bench.ours()[0]?.id}`);
  expect(await bench.reply(first, 'Declined.')).toEqual(put);
  expect(bench.ours()).toMatchObject([{ body: `${MARKER}\nDeclined.`, isEdited: true }]);
  await bench.reply(other, 'Which?');
  expect(bench.ours().map(({ replyTo }) => replyTo)).toEqual([first, other]);
});

it('answers an answer in its thread, several times by several markers', async () => {
  await using bench = await openRemarkBench();
  const first = bench.remark('This');
  const second = bench.remark('And why?', { replyTo: first });
  await bench.reply(second, 'Done.');
  await bench.reply(first, 'Because.', '<!-- sluice:remark/2 -->');
  expect(bench.ours().map(({ replyTo, body }) => [replyTo, body.split('\n')[1]])).toEqual([
    [first, 'Done.'],
    [first, 'Because.'],
  ]);
});

it("takes no other author's copy of the marker for its own answer", async () => {
  await using bench = await openRemarkBench();
  const first = bench.remark('This');
  bench.remark(`${MARKER}\nMine.`, { replyTo: first });
  await bench.reply(first, 'Done.');
  expect(bench.ours().map(({ author, body }) => [author, body])).toEqual([
    ['bob', `${MARKER}\nMine.`],
    ['ada', `${MARKER}\nDone.`],
  ]);
});

it.each(['lost', 'cut'] as const)('finds the answer whose response was %s, without writing it again', async (kind) => {
  await using bench = await openRemarkBench();
  const first = bench.remark('This');
  const fault = bench.there.arm({ on: /\/replies$/, fault: { kind } });
  const { id } = await bench.reply(first, 'Done.');
  expect(fault.hits).toBe(1);
  expect(bench.ours().map((one) => `line-${one.id}`)).toEqual([id]);
});

it('answers once for concurrent calls', async () => {
  await using bench = await openRemarkBench();
  const first = bench.remark('This');
  const put = await Promise.all(['One', 'Two', 'Three'].map((body) => bench.reply(first, body)));
  expect(new Set(put.map(({ id }) => id)).size).toBe(1);
  expect(bench.ours()).toHaveLength(1);
});

it('asks its caller before it answers', async () => {
  await using bench = await openRemarkBench();
  const { host, ada, number } = bench;
  const commentId = `line-${bench.remark('This')}`;
  const beforeWrite = () => Promise.reject(new Error('The lease is lost.'));
  const answer = host.replyToComment({ ...ada, beforeWrite }, REPO, {
    number,
    commentId,
    marker: MARKER,
    body: 'Done.',
  });
  await expect(answer).rejects.toThrow('The lease is lost.');
  expect(bench.ours()).toEqual([]);
});

it.each(['line-99999', 'line-0', 'issue-7', 'review-7', 'line-7/../8'])('finds no remark %s', async (commentId) => {
  await using bench = await openRemarkBench();
  const { host, ada, number } = bench;
  const answer = host.replyToComment(ada, REPO, { number, commentId, marker: MARKER, body: 'Done.' });
  await expect(answer).rejects.toMatchObject({ code: 'codehost_not_found' });
});

it('keeps several comments of its own in one conversation, by their markers', async () => {
  await using bench = await openRemarkBench();
  const { there, host, ada, number } = bench;
  const put = (marker: string, body: string) => host.putComment(ada, REPO, { number, marker, body });
  await put('<!-- sluice:remark/1 -->', 'One');
  await put('<!-- sluice:remark/12 -->', 'Twelve');
  await put('<!-- sluice:remark/1 -->', 'One again');
  expect(there.comments(REPO, number).map(({ body }) => body.split('\n')[1])).toEqual(['One again', 'Twelve']);
});
