import { createContext, useContext, useEffect, useRef } from 'react';
import { type Command, type CommandRegistry, createCommandRegistry } from './command-registry.ts';

/** The registry of the shell around a page. */
export const Commands = createContext(createCommandRegistry());

/** Offers a command in the palette, and by its keys, while the component is there and `isOffered` holds. */
export function useCommand(command: Command, isOffered = true): void {
  const registry = useContext(Commands);
  const { id, label, group, keys, run } = command;
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(() => {
    if (!isOffered) return;
    return registry.add({ id, label, group, ...(keys === undefined ? {} : { keys }), run: () => latest.current() });
  }, [registry, isOffered, id, label, group, keys]);
}

const SEQUENCE_MS = 1_500; // long enough to press the second key, too short to be surprised by the first

/** Runs commands by their keys: one key, or two in a row. Keys that are typed into a field are the field's. */
export function useShortcuts(registry: CommandRegistry, isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return;
    let before = '';
    let beforeAt = 0;
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (event.key.length > 1 || document.querySelector('[role="dialog"],[role="menu"]') !== null) return;
      const isSequence = before !== '' && event.timeStamp - beforeAt < SEQUENCE_MS;
      const keys = isSequence ? `${before} ${event.key}` : event.key;
      before = !isSequence && registry.isPrefix(keys) ? keys : '';
      beforeAt = event.timeStamp;
      const command = registry.find(keys);
      if (command === undefined) return;
      event.preventDefault();
      command.run();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [registry, isOn]);
}

const FIELDS = 'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable]';

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest(FIELDS) !== null;
}
