import { useEffect } from 'react';

/** Sends by Ctrl+Enter (⌘ on a Mac), from every field of the gate, as in other fields for longer texts. */
export function useSendKey(send: () => void, isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return;
      if (!(event.target instanceof HTMLTextAreaElement)) return;
      event.preventDefault();
      send();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  });
}
