import { keepText, keptJson } from '../browser/kept-text.ts';
import type { PageStorage } from '../browser/page-storage.ts';
import type { Remarks, RemarkTarget } from './compose-guidance.ts';

/** Remarks on a plan that are not sent yet. They outlast a reload of the page, in this tab. */
export interface RemarkStore {
  /** All remarks; the same object until one changes. */
  all(): Remarks;
  set(target: RemarkTarget, text: string): void;
  clear(): void;
  /** Forgets what was sent. A remark that was changed meanwhile stays. */
  forget(sent: Remarks): void;
  subscribe(listener: () => void): () => void;
}

const PREFIX = 'sluice.remarks.';

/**
 * Opens the remarks that were written on a subject and not sent yet.
 *
 * @param subject what they are on: an issue, and the revision of its plan or the commit to publish
 */
export function openRemarks(storage: PageStorage, { issueId, subject }: RemarkSubject): RemarkStore {
  const key = keyOf({ issueId, subject });
  let remarks = remarksOf(keptJson(storage, key));
  const listeners = new Set<() => void>();
  const put = (next: Remarks) => {
    remarks = next;
    keepText(storage, key, Object.keys(next).length === 0 ? '' : JSON.stringify(next));
    for (const listener of listeners) listener();
  };
  return {
    all: () => remarks,
    set(target, text) {
      const { [target]: _, ...rest } = remarks;
      put(text === '' ? rest : { ...rest, [target]: text });
    },
    clear: () => put({}),
    forget(sent) {
      const kept = Object.entries(remarks).filter(([target, text]) => sent[target as RemarkTarget] !== text);
      put(Object.fromEntries(kept));
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

interface RemarkSubject {
  readonly issueId: string;
  readonly subject: string;
}

/** The subjects of an issue on which there are unsent remarks. */
export function subjectsWithRemarks(storage: PageStorage, issueId: string): readonly string[] {
  const prefix = keyOf({ issueId, subject: '' });
  return Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '')
    .filter((key) => key.startsWith(prefix))
    .map((key) => key.slice(prefix.length));
}

function keyOf({ issueId, subject }: RemarkSubject): string {
  return `${PREFIX}${issueId}.${subject}`;
}

/** The remarks in the stored text of this tab; anything else in its place counts as nothing. */
function remarksOf(kept: unknown): Remarks {
  if (typeof kept !== 'object' || kept === null) return {};
  return Object.fromEntries(Object.entries(kept).filter(([, text]) => typeof text === 'string'));
}
