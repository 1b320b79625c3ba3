/** One life of a process: it dies in the middle of a chosen write, and has no effect from then on. */
export interface Life {
  readonly dead: boolean;
  /** Names of the writes so far, in order. */
  readonly writes: readonly string[];
  /** Wraps a port: once this life is over, none of its calls returns, and none has an effect. */
  wrap<T extends object>(name: string, port: T): T;
}

const FOREVER = new Promise<never>(() => undefined);

/** Methods that change something durable; of the other ones there are as many as there are timers, so they are not counted. */
const WRITES = new Set([
  'issues.apply',
  'runs.claim',
  'runs.beginAttempt',
  'runs.failAttempt',
  'runs.record',
  'runs.appendJournal',
  'runs.saveDiff',
  'runs.saveCheckpoint',
  'runs.release',
  'runs.saveIndex',
  'tree.commit',
  'tree.checkpoint',
  'tree.restore',
  'tree.reset',
  'tree.push',
  'files.write',
  'sandbox.run',
  'deliveries.claim',
  'deliveries.settle',
]);

/** A life that ends right after its `lastWrite`th write (from 1) took effect, before its caller gets the result. */
export function mortalLife(lastWrite: number): Life {
  let dead = false;
  const writes: string[] = [];

  function wrap<T extends object>(name: string, port: T): T {
    return new Proxy(port, {
      get(target, key, receiver) {
        const member: unknown = Reflect.get(target, key, receiver);
        if (name === 'tree' && key === 'files') return wrap('files', member as object);
        if (typeof member !== 'function') return member;
        return (...args: unknown[]) => {
          if (dead) return FOREVER;
          const label = `${name}.${String(key)}`;
          const answer: unknown = member.apply(target, args);
          if (!(answer instanceof Promise)) return answer;
          return answer.then(
            (value: unknown) => {
              if (dead) return FOREVER;
              if (WRITES.has(label)) {
                writes.push(label);
                if (writes.length === lastWrite) {
                  dead = true;
                  return FOREVER;
                }
              }
              return label === 'workspaces.prepare' ? wrap('tree', value as object) : value;
            },
            (error: unknown) => (dead ? FOREVER : Promise.reject(error)),
          );
        };
      },
    });
  }

  return {
    get dead() {
      return dead;
    },
    writes,
    wrap,
  };
}
