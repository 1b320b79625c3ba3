import { type ComponentProps, useEffect, useEffectEvent, useRef, useState } from 'react';
import { TextField } from './field.tsx';

const WRITE_AFTER_MS = 250; // a word is typed in one go: the address and the server see its end

interface AddressSearchProps extends Omit<ComponentProps<typeof TextField>, 'type' | 'value' | 'onChange'> {
  /** What the address says. */
  readonly q: string | undefined;
  /** Writes what is searched for into the address; undefined: nothing is. */
  readonly onSearch: (q: string | undefined) => void;
}

/**
 * A search that is in the address. What is typed is written there once it rests: a field that waited for the router to draw
 * each letter would lose some, and the place of the caret. An address that changes otherwise is shown.
 */
export function AddressSearch({ q = '', onSearch, ...field }: AddressSearchProps) {
  const [text, setText] = useState(q);
  const written = useRef(q);
  const search = useEffectEvent(onSearch);
  useEffect(() => {
    if (q === written.current) return;
    written.current = q;
    setText(q);
  }, [q]);
  useEffect(() => {
    const trimmed = text.trim();
    if (trimmed === written.current) return;
    const timer = setTimeout(() => {
      written.current = trimmed;
      search(trimmed || undefined);
    }, WRITE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return <TextField {...field} type="search" value={text} onChange={({ target }) => setText(target.value)} />;
}
