import type { IssueEvent, LiveEvent } from '@sluice/core/issue';
import { expect, it } from 'vitest';
import { createCommandEcho } from './follow-progress.ts';

const started = { type: 'command.started', data: { command: 'x' } } as IssueEvent;
const finished = { type: 'command.finished', data: { command: 'x' } } as IssueEvent;
const output = (text: string) =>
  ({ type: 'command.output', data: { command: 'x', stream: 'stdout', text } }) as LiveEvent;

it('gives whole lines as soon as they end, and the rest when the command ends', () => {
  const echo = createCommandEcho();
  const events = [started, output('on'), output('e\ntwo\r\nth'), output('ree'), finished];
  expect(events.map(echo.take)).toEqual([[], [], ['one', 'two'], [], ['three']]);
});

it('keeps the last state of a progress bar, and shows control characters', () => {
  const echo = createCommandEcho();
  expect(echo.take(output('1 %\r2 %\n\x1b[2Jx\n'))).toEqual(['2 %', '␛[2Jx']);
});

it('knows whether the output of this command was seen', () => {
  const echo = createCommandEcho();
  const seen = [started, output('x'), finished, started, finished].map((event) => {
    echo.take(event);
    return echo.hasOutput;
  });
  expect(seen).toEqual([false, true, true, false, false]);
});
