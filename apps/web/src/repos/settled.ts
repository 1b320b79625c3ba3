import { useEffect, useState } from 'react';

const SETTLE_MS = 300; // between two keys of somebody who types

/** A value that one types, when it has stopped changing. */
export function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
