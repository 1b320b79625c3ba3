/** Something that the user can do here, by the palette or by a key. */
export interface Command {
  readonly id: string;
  readonly label: string;
  /** The group that it belongs to, e.g. `Go to`. */
  readonly group: string;
  /** One key (`a`) or two in a row (`g i`). Absent: by the palette alone. */
  readonly keys?: string;
  readonly run: () => void;
}

export interface CommandRegistry {
  /** Adds a command while a component is there. @returns what removes it */
  add(command: Command): () => void;
  /** All commands that are there now, in the order in which they were added. The same array until one comes or goes. */
  list(): readonly Command[];
  subscribe(listener: () => void): () => void;
  /** The command that these keys stand for; the one that was added last wins. */
  find(keys: string): Command | undefined;
  /** Whether a longer sequence begins with these keys. */
  isPrefix(keys: string): boolean;
}

/** The commands of the page that is shown. Components add theirs when they appear and remove them when they go. */
export function createCommandRegistry(): CommandRegistry {
  let commands: readonly Command[] = [];
  const listeners = new Set<() => void>();
  const set = (next: readonly Command[]) => {
    commands = next;
    for (const listener of listeners) listener();
  };
  return {
    add(command) {
      set([...commands, command]);
      return () => set(commands.filter((one) => one !== command));
    },
    list: () => commands,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    find: (keys) => commands.findLast((command) => command.keys === keys),
    isPrefix: (keys) => commands.some((command) => command.keys?.startsWith(`${keys} `) ?? false),
  };
}
