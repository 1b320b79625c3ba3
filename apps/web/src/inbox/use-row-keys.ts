import { type RefObject, useEffect, useRef } from 'react';
import { useCommand } from '../commands/use-command.ts';

/**
 * Moves the focus from row to row by `j` and `k`; Enter opens the row, because the focus is on its link. A row that moves to
 * another list while it has the focus keeps it.
 */
export function useRowKeys(lists: RefObject<HTMLElement | null>): void {
  const focused = useRef<string | null>(null);
  const rows = () => [...(lists.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
  const move = (step: 1 | -1) => {
    const all = rows();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const next = at === -1 ? (step === 1 ? 0 : all.length - 1) : Math.min(Math.max(at + step, 0), all.length - 1);
    all[next]?.focus();
  };
  useCommand({ id: 'inbox.next', label: 'Next issue', group: 'Inbox', keys: 'j', run: () => move(1) });
  useCommand({ id: 'inbox.previous', label: 'Previous issue', group: 'Inbox', keys: 'k', run: () => move(-1) });

  useEffect(() => {
    const onFocus = () => {
      focused.current = document.activeElement?.getAttribute('data-row') ?? null;
    };
    const onPointer = () => {
      focused.current = null;
    };
    document.addEventListener('focusin', onFocus);
    document.addEventListener('pointerdown', onPointer);
    return () => {
      document.removeEventListener('focusin', onFocus);
      document.removeEventListener('pointerdown', onPointer);
    };
  }, []);
  useEffect(() => {
    if (focused.current === null || document.activeElement !== document.body) return;
    const moved = rows().find((row) => row.dataset.row === focused.current);
    moved?.focus({ preventScroll: true });
  });
}
