import { useEffect, useState } from 'react';
import styles from './loading.module.css';

const SHOW_AFTER_MS = 200; // a page that comes sooner does not flicker
const SLOW_AFTER_MS = 8_000;

/**
 * The placeholder while something loads. It never spins without an end: after a while it says that the server is slow.
 */
export function Loading({ what }: { readonly what: string }) {
  const [phase, setPhase] = useState<'hidden' | 'shown' | 'slow'>('hidden');
  useEffect(() => {
    const show = setTimeout(() => setPhase('shown'), SHOW_AFTER_MS);
    const slow = setTimeout(() => setPhase('slow'), SLOW_AFTER_MS);
    return () => {
      clearTimeout(show);
      clearTimeout(slow);
    };
  }, []);
  return (
    <p role="status" className={styles.loading}>
      {phase === 'shown' && `Loading ${what}…`}
      {phase === 'slow' && `Still loading ${what}: the server answers slowly. It is tried again by itself.`}
    </p>
  );
}
