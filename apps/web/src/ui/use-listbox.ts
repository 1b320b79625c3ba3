import { type KeyboardEvent, useEffect, useId, useState } from 'react';

interface ListboxOptions {
  readonly count: number;
  readonly isOpen: boolean;
  /** The subject of the options; the first option is active again when it changes. */
  readonly subject: string;
  readonly onPick: (index: number) => void;
}

const STEP: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };

/**
 * The keyboard and the roles of a field with a list below it, as the combobox pattern of ARIA has them: the focus stays in
 * the field, the arrows choose an option, Enter picks it.
 */
export function useListbox({ count, isOpen, subject, onPick }: ListboxOptions) {
  const id = useId();
  const [chosen, setChosen] = useState({ subject, index: 0 });
  const active = chosen.subject === subject ? Math.min(chosen.index, count - 1) : Math.min(0, count - 1);
  const choose = (index: number) => setChosen({ subject, index });
  const optionId = (index: number) => `${id}-${index}`;

  useEffect(() => {
    if (isOpen && active >= 0) document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, isOpen, active]);

  return {
    input: {
      role: 'combobox',
      'aria-expanded': isOpen,
      'aria-controls': id,
      'aria-autocomplete': 'list' as const,
      'aria-activedescendant': isOpen && active >= 0 ? optionId(active) : undefined,
      autoComplete: 'off',
      spellCheck: false,
    },
    listId: id,
    option: (index: number) => ({
      id: optionId(index),
      role: 'option',
      'aria-selected': index === active,
      onPointerDown: (event: { preventDefault(): void }) => event.preventDefault(), // the focus stays in the field
      onPointerMove: () => choose(index),
      onClick: () => onPick(index),
    }),
    /** @returns whether the key was one of the list's */
    takeKey(event: KeyboardEvent): boolean {
      const step = STEP[event.key];
      if (step !== undefined && count > 0) {
        const isEdge = Math.abs(step) === 1;
        const next = active + step;
        choose(isEdge ? (next + count) % count : Math.min(Math.max(next, 0), count - 1));
      } else if (event.key === 'Enter' && active >= 0 && !event.nativeEvent.isComposing) onPick(active);
      else return false;
      event.preventDefault();
      return true;
    },
  };
}
