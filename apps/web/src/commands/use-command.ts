import { createContext, useContext, useEffect, useRef } from 'react';
import { type Command, createCommandRegistry } from './command-registry.ts';

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
