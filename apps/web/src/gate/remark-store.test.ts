import { expect, it, vi } from 'vitest';
import { openRemarks, subjectsWithRemarks } from './remark-store.ts';

function memory(): Storage {
  const items = new Map<string, string>();
  return {
    get length() {
      return items.size;
    },
    key: (index) => [...items.keys()][index] ?? null,
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
    clear: () => items.clear(),
  };
}

const first = { issueId: 'one', subject: '1' };

it('keeps remarks over a reload, for each revision by itself', () => {
  const storage = memory();
  openRemarks(storage, first).set('step:0', 'Two tests.');
  expect(openRemarks(storage, first).all()).toEqual({ 'step:0': 'Two tests.' });
  expect(openRemarks(storage, { ...first, subject: '2' }).all()).toEqual({});
  expect(subjectsWithRemarks(storage, 'one')).toEqual(['1']);
  expect(subjectsWithRemarks(storage, 'two')).toEqual([]);
});

it('leaves nothing behind when the last remark is emptied or all are sent', () => {
  const storage = memory();
  const remarks = openRemarks(storage, first);
  remarks.set('general', 'a');
  remarks.set('general', '');
  expect(storage.length).toBe(0);
  remarks.set('risk:1', 'b');
  remarks.clear();
  expect(storage.length).toBe(0);
});

it('forgets what was sent, and keeps what was typed meanwhile', () => {
  const storage = memory();
  const remarks = openRemarks(storage, first);
  remarks.set('general', 'sent');
  remarks.set('step:0', 'sent, then changed');
  const sent = remarks.all();
  remarks.set('step:0', 'changed');
  remarks.set('step:1', 'typed meanwhile');
  remarks.forget(sent);
  expect(openRemarks(storage, first).all()).toEqual({ 'step:0': 'changed', 'step:1': 'typed meanwhile' });
});

it('tells its listeners, and gives the same object in between', () => {
  const remarks = openRemarks(memory(), first);
  const listener = vi.fn();
  const stop = remarks.subscribe(listener);
  remarks.set('general', 'a');
  expect(remarks.all()).toBe(remarks.all());
  stop();
  remarks.set('general', 'b');
  expect(listener).toHaveBeenCalledTimes(1);
});

it('starts empty where something else was stored', () => {
  const storage = memory();
  storage.setItem('sluice.remarks.one.1', '[broken');
  expect(openRemarks(storage, first).all()).toEqual({});
});
