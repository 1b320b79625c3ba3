import type { RequestForm } from './request-form.ts';

const REMEMBERED_MS = 86_400_000; // a day: servers are updated, and a form is refused in a moment
const MAX_REMEMBERED = 200; // servers and models; a process has a few of each

/** What servers have refused, by server and model. One for all models of a process; nothing is stored. */
export interface RefusalMemory {
  /** The form that was taken last; null where nothing was refused within a day. */
  formFor(route: string): RequestForm | null;
  remember(route: string, form: RequestForm): void;
}

export function createRefusalMemory(now: () => number = Date.now): RefusalMemory {
  const known = new Map<string, { readonly form: RequestForm; readonly until: number }>();
  return {
    formFor(route) {
      const found = known.get(route);
      if (found === undefined || found.until <= now()) return null;
      return found.form;
    },
    remember(route, form) {
      known.delete(route);
      known.set(route, { form, until: now() + REMEMBERED_MS });
      for (const oldest of known.keys()) {
        if (known.size <= MAX_REMEMBERED) break;
        known.delete(oldest);
      }
    },
  };
}
