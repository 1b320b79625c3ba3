import { keepText } from '../browser/kept-text.ts';

const PREFIX = 'sluice.message.';

/** The note to an issue's agents that was typed in this tab and is not sent. */
export function takeDraft(storage: Pick<Storage, 'getItem'>, id: string): string {
  return storage.getItem(PREFIX + id) ?? '';
}

export function keepDraft(
  storage: Pick<Storage, 'setItem' | 'removeItem'>,
  { id, text }: { readonly id: string; readonly text: string },
): void {
  keepText(storage, PREFIX + id, text);
}
