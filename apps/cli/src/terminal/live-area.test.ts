import { expect, it } from 'vitest';
import { createLiveArea } from './live-area.ts';

/** A terminal that understands what the area writes: lines, carriage return, cursor up, erase to the end. */
function fakeTerminal(columns: number, rows = 24) {
  const screen: string[] = [''];
  let line = 0;
  let column = 0;
  let writes = 0;
  return {
    columns,
    rows,
    get writes() {
      return writes;
    },
    /** The lines that hold something, without the spaces behind them. */
    get screen() {
      return screen.map((text) => text.trimEnd()).filter((text) => text !== '');
    },
    write(text: string) {
      writes += 1;
      for (const [part] of text.matchAll(/\x1b\[J|\x1b\[\d+A|\r|\n|[^\x1b\r\n]+/g)) {
        if (part === '\r') column = 0;
        else if (part === '\n') {
          line += 1;
          column = 0;
          screen[line] ??= '';
        } else if (part === '\x1b[J') {
          screen[line] = (screen[line] ?? '').slice(0, column);
          screen.length = line + 1;
        } else if (part.startsWith('\x1b')) line -= Number.parseInt(part.slice(2), 10);
        else {
          const before = (screen[line] ?? '').padEnd(column);
          screen[line] = before.slice(0, column) + part + before.slice(column + part.length);
          column += part.length;
        }
      }
    },
  };
}

it('replaces its lines, also by fewer ones', () => {
  const terminal = fakeTerminal(40);
  const area = createLiveArea(terminal);
  area.show(() => ['test 1 s', '  one', '  two']);
  area.show(() => ['test 2 s', '  three']);
  expect(terminal.screen).toEqual(['test 2 s', '  three']);
});

it('prints above its lines, and leaves nothing of them behind', () => {
  const terminal = fakeTerminal(40);
  const area = createLiveArea(terminal);
  area.print('first');
  area.show(() => ['test 1 s', '  one']);
  area.print('a longer line\nand a second');
  expect(terminal.screen).toEqual(['first', 'a longer line', 'and a second', 'test 1 s', '  one']);
  area.clear();
  area.print('last');
  expect(terminal.screen).toEqual(['first', 'a longer line', 'and a second', 'last']);
});

it('shows its lines as they are now when something is printed', () => {
  const terminal = fakeTerminal(40);
  const area = createLiveArea(terminal);
  let stage = 'plan';
  area.show(() => [stage]);
  stage = 'implement';
  area.print('the plan is ready');
  expect(terminal.screen).toEqual(['the plan is ready', 'implement']);
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
  expect(terminal.screen).toEqual(['1', '2', '3']);
});
