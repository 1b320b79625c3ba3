import { expect, it } from 'vitest';
import { fakeTerminal } from '../../test/fake-terminal.ts';
import { createLiveArea } from './live-area.ts';

const shown = ({ screen }: { readonly screen: readonly string[] }) => screen.filter((line) => line !== '');

it('replaces its lines, also by fewer ones', () => {
  const terminal = fakeTerminal(40);
  const area = createLiveArea(terminal);
  area.show(() => ['test 1 s', '  one', '  two']);
  area.show(() => ['test 2 s', '  three']);
  expect(shown(terminal)).toEqual(['test 2 s', '  three']);
});

it('prints above its lines, and leaves nothing of them behind', () => {
  const terminal = fakeTerminal(40);
  const area = createLiveArea(terminal);
  area.print('first');
  area.show(() => ['test 1 s', '  one']);
  area.print('a longer line\nand a second');
  expect(shown(terminal)).toEqual(['first', 'a longer line', 'and a second', 'test 1 s', '  one']);
  area.clear();
  area.print('last');
  expect(shown(terminal)).toEqual(['first', 'a longer line', 'and a second', 'last']);
});

it('shows its lines as they are now when something is printed', () => {
  const terminal = fakeTerminal(40);
  const area = createLiveArea(terminal);
  let stage = 'plan';
  area.show(() => [stage]);
  stage = 'implement';
  area.print('the plan is ready');
  expect(shown(terminal)).toEqual(['the plan is ready', 'implement']);
});

it('writes nothing when nothing has changed, and erases only what it wrote', () => {
  const terminal = fakeTerminal(40);
  const area = createLiveArea(terminal);
  area.clear();
  expect(terminal.writes).toBe(0);
  area.show(() => ['same']);
  area.show(() => ['same']);
  expect(terminal.writes).toBe(1);
});

it('asks for lines that fit the terminal as it is now, and shows no more than fit', () => {
  const terminal = fakeTerminal(40, 4);
  const area = createLiveArea(terminal);
  const asked: number[] = [];
  const lines = (columns: number) => {
    asked.push(columns);
    return ['1', '2', '3', '4', `${columns}`];
  };
  area.show(lines);
  terminal.columns = 20;
  area.show(lines);
  expect(asked).toEqual([39, 19]);
  expect(shown(terminal)).toEqual(['1', '2', '3']);
});
