import { lazy, Suspense } from 'react';
import styles from './lazy-markdown.module.css';

const Rendered = lazy(async () => ({ default: (await import('./markdown.tsx')).Markdown }));

/** Markdown whose renderer loads when it is needed first; the plain text stands there until then. */
export function LazyMarkdown({ text }: { readonly text: string }) {
  return (
    <Suspense fallback={<p className={styles.plain}>{text}</p>}>
      <Rendered text={text} />
    </Suspense>
  );
}
