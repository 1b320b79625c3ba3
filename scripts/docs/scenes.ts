/** The state of the machine when the reader of a page begins. */
export interface Scene {
  /** A folder of the home: `sluice` is a checkout. */
  readonly startsIn: '.' | 'sluice';
  /** A server of the reader's own, one that was stopped (its DATA_DIR is in the environment then), or none. */
  readonly server: 'runs' | 'stopped' | 'none';
  /** Whether the command is logged in there, as you@example.com. */
  readonly isLoggedIn: boolean;
  /** Whether `~/code/shop` is registered there. */
  readonly hasRepo: boolean;
  /**
   * The other services on this machine, at their usual ports: Postgres (with an empty database), Redis and Chroma, a
   * model, or the receiver of notifications that the page starts.
   */
  readonly beside: 'nothing' | 'services' | 'model' | 'receiver';
  /** Whether it takes minutes, or fetches packages: then the soak run does it, and `npm test` only reads it. */
  readonly isLong: boolean;
}

const usual: Scene = {
  startsIn: '.',
  server: 'runs',
  isLoggedIn: true,
  hasRepo: false,
  beside: 'nothing',
  isLong: false,
};

/** The pages that begin otherwise. */
const scenes: Readonly<Record<string, Partial<Scene>>> = {
  'README.md': { startsIn: 'sluice', isLoggedIn: false },
  'docs/first-run.md': { startsIn: 'sluice', isLoggedIn: false, isLong: true },
  'docs/script-it.md': { hasRepo: true, isLong: true },
  'docs/script-in-python.md': { isLong: true },
  'docs/teams.md': { hasRepo: true },
  'docs/budgets.md': { hasRepo: true },
  'docs/notifications.md': { beside: 'receiver', isLong: true },
  'docs/write-a-client.md': { hasRepo: true, isLong: true },
  'docs/backup.md': { server: 'stopped' },
  'docs/operate.md': { server: 'stopped', isLong: true },
  'docs/local-model.md': { isLong: true },
  'docs/behind-nginx.md': { isLong: true },
  'docs/your-repository.md': { server: 'none', isLoggedIn: false, beside: 'model', isLong: true },
  'docs/three-servers.md': { server: 'none', isLoggedIn: false, beside: 'services', isLong: true },
};

export function sceneOf(path: string): Scene {
  return { ...usual, ...scenes[path] };
}
