import { expect, it } from 'vitest';
import { type HostBench, openHostBench } from '../../test/host-bench.ts';

async function looking(bench: HostBench) {
  const { host, ada } = bench;
  let { cursor } = await host.changedSince(ada, 'ada/engine', null);
  bench.asked();
  return async () => {
    const look = await host.changedSince(ada, 'ada/engine', cursor);
    cursor = look.cursor;
    return look.subjects.map(({ kind, number }) => `${kind} ${number}`).sort();
  };
}

it('reports nothing at first, and then what has changed since', async () => {
  await using bench = await openHostBench();
  const { there, clock } = bench;
  const older = there.openIssue('ada/engine', { title: 'Older', by: 'ada' });
  clock.advance(5_000);
  there.openIssue('ada/engine', { title: 'Newer', by: 'ada' });
  const look = await looking(bench);
  clock.advance(5_000);
  there.comment({ repo: 'ada/engine', number: older, by: 'ada' }, 'Still there');
  expect(await look()).toContain(`issue ${older}`);
  clock.advance(5_000);
  const third = there.openIssue('ada/engine', { title: 'Third', by: 'ada' });
  expect(await look()).toContain(`issue ${third}`);
});

it('costs no quota when nothing has changed', async () => {
  await using bench = await openHostBench();
  bench.there.openIssue('ada/engine', { title: 'It creaks', by: 'ada' });
  const look = await looking(bench);
  expect(await look()).toEqual([]);
  expect(await look()).toEqual([]);
  const answers = bench.asked().map((asked) => asked.split(' ').at(-1));
  expect(answers).toEqual(['304', '304', '304', '304', '304', '304']);
});

it('starts in an empty repository too', async () => {
  await using bench = await openHostBench();
  const look = await looking(bench);
  expect(await look()).toEqual([]);
  const number = bench.there.openIssue('ada/engine', { title: 'The first', by: 'ada' });
  expect(await look()).toEqual([`issue ${number}`]);
});

it('reports a change within the same second as the last poll', async () => {
  await using bench = await openHostBench();
  const number = bench.there.openIssue('ada/engine', { title: 'It creaks', by: 'ada' });
  const look = await looking(bench);
  bench.there.comment({ repo: 'ada/engine', number, by: 'ada' }, 'At once');
  expect(await look()).toEqual([`issue ${number}`]);
});

it('reports a pull request that is reviewed, commented on a line, pushed to and closed', async () => {
  await using bench = await openHostBench();
  const { there, clock } = bench;
  await there.push('ada/engine', { by: 'ada', branch: 'b', files: { 'a.txt': 'a' } });
  const number = await there.openPull('ada/engine', { title: 'A change', head: 'b', base: 'main', by: 'ada' });
  const place = { repo: 'ada/engine', number, by: 'ada' };
  const look = await looking(bench);
  const acts = [
    () => there.review(place, { state: 'COMMENTED', body: 'Hm' }),
    () => there.commentLine(place, { path: 'a.txt', line: 1, body: 'Here' }),
    () => there.push('ada/engine', { by: 'ada', branch: 'b', files: { 'a.txt': 'b' } }),
    () => there.close(place),
  ];
  for (const act of acts) {
    clock.advance(5_000);
    await act();
    expect(await look()).toEqual([`change_request ${number}`]);
  }
});

it('reports all changes after a long time without a poll', async () => {
  await using bench = await openHostBench();
  const { there, clock } = bench;
  there.openIssue('ada/engine', { title: 'Before', by: 'ada' });
  const look = await looking(bench);
  const opened = Array.from({ length: 230 }, () => {
    clock.advance(1_000);
    return there.openIssue('ada/engine', { title: 'Later', by: 'ada' });
  });
  const told = await look();
  for (const number of opened) expect(told).toContain(`issue ${number}`);
});

it('starts over with an unreadable cursor', async () => {
  await using bench = await openHostBench();
  const { host, ada, there } = bench;
  there.openIssue('ada/engine', { title: 'It creaks', by: 'ada' });
  for (const cursor of ['', 'nonsense', Buffer.from('{"v":2}').toString('base64url')]) {
    expect((await host.changedSince(ada, 'ada/engine', cursor)).subjects).toEqual([]);
  }
});
