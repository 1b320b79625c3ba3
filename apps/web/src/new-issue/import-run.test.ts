import type { SluiceClient } from '@sluice/client';
import { expect, it } from 'vitest';
import { type ImportState, importIssues } from './import-run.ts';

/** A server that refuses the given numbers, and records what it was asked. */
function scene(refused: Readonly<Record<string, number>> = {}) {
  const asked: string[] = [];
  const seen: string[] = [];
  const states = new Map<number, ImportState>();
  const answer = async (call: string, number: number) => {
    asked.push(`${call} ${number}`);
    if (refused[call] === number) throw new Error('refused');
    return { id: `issue-${number}` };
  };
  const issues = {
    import: {
      mutate: ({ number }: { number: number }, { idempotencyKey }: { idempotencyKey: string }) => {
        seen.push(idempotencyKey);
        return answer('import', number);
      },
    },
    run: { mutate: ({ id }: { id: string }) => answer('run', Number(id.slice('issue-'.length))) },
  };
  const end = new AbortController();
  const run = {
    client: { issues } as unknown as Pick<SluiceClient, 'issues'>,
    repoId: 'r',
    keys: new Map<number, string>(),
    onState: (number: number, state: ImportState) => void states.set(number, state),
    signal: end.signal,
  };
  return { run, asked, seen, states, end };
}

it('imports one after the other and goes on after a failure', async () => {
  const { run, asked, states } = scene({ import: 2 });
  await importIssues([1, 2, 3], { ...run, starts: true });
  expect(asked).toEqual(['import 1', 'run 1', 'import 2', 'import 3', 'run 3']);
  expect([...states.values()].map(({ kind }) => kind)).toEqual(['imported', 'failed', 'imported']);
});

it('says which issue was imported but not started', async () => {
  const { run, states } = scene({ run: 1 });
  await importIssues([1], { ...run, starts: true });
  expect(states.get(1)).toMatchObject({ kind: 'failed', issueId: 'issue-1' });
});

it('leaves drafts where they are not to start', async () => {
  const { run, asked } = scene();
  await importIssues([1], { ...run, starts: false });
  expect(asked).toEqual(['import 1']);
});

it('repeats the key of each issue when it is tried again', async () => {
  const { run, seen } = scene({ import: 2 });
  await importIssues([1, 2], { ...run, starts: false });
  await importIssues([2], { ...run, starts: false });
  expect(seen[2]).toBe(seen[1]);
  expect(seen[0]).not.toBe(seen[1]);
});

it('stops when the page is left', async () => {
  const { run, asked, end } = scene();
  end.abort();
  await importIssues([1, 2], { ...run, starts: true });
  expect(asked).toEqual([]);
});
