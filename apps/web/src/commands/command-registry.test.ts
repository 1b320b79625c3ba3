import { expect, it, vi } from 'vitest';
import { createCommandRegistry } from './command-registry.ts';

const command = (id: string, keys?: string) => ({
  id,
  label: id,
  group: 'Test',
  run: () => {},
  ...(keys === undefined ? {} : { keys }),
});

it('finds a command by its keys while it is there', () => {
  const registry = createCommandRegistry();
  const remove = registry.add(command('inbox', 'g i'));
  expect(registry.find('g i')?.id).toBe('inbox');
  expect(registry.isPrefix('g')).toBe(true);
  remove();
  expect(registry.find('g i')).toBeUndefined();
  expect(registry.isPrefix('g')).toBe(false);
});

it('gives a key to the command that was added last, and back when that one goes', () => {
  const registry = createCommandRegistry();
  registry.add(command('first', 'a'));
  const remove = registry.add(command('second', 'a'));
  expect(registry.find('a')?.id).toBe('second');
  remove();
  expect(registry.find('a')?.id).toBe('first');
});

it('tells its listeners of each change and keeps the list the same in between', () => {
  const registry = createCommandRegistry();
  const listener = vi.fn();
  registry.subscribe(listener);
  const remove = registry.add(command('one'));
  expect(registry.list()).toBe(registry.list());
  remove();
  expect(listener).toHaveBeenCalledTimes(2);
});
