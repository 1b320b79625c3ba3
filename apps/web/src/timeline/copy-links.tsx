import { type RefObject, useContext, useEffect, useState } from 'react';
import { issueHref } from '../events/issue-link.tsx';
import styles from './copy-links.module.css';
import { RowActionsContext } from './row-actions.ts';

const SHOWN_MS = 2_500;

/** Copies the links of the rows in a box. One handler serves them all: rows come and go by the hundred as one scrolls. */
export function CopyLinks({ box }: { readonly box: RefObject<HTMLElement | null> }) {
  const { issueId } = useContext(RowActionsContext);
  const [status, setStatus] = useState('');
  useEffect(() => {
    const element = box.current;
    const onClick = (event: MouseEvent) => {
      const button = event.target instanceof Element ? event.target.closest('[data-copy]') : null;
      if (button instanceof HTMLElement) void copy(Number(button.dataset.copy));
    };
    const copy = async (seq: number) => {
      const link = new URL(issueHref(issueId, { view: 'activity', event: seq }), location.href);
      try {
        await navigator.clipboard.writeText(link.href);
        setStatus(`The link to event ${seq} is copied.`);
      } catch {
        setStatus('The browser copies over HTTPS only: open the time of the event and take its address.');
      }
    };
    element?.addEventListener('click', onClick);
    return () => element?.removeEventListener('click', onClick);
  }, [box, issueId]);
  useEffect(() => {
    if (status === '') return;
    const timer = setTimeout(() => setStatus(''), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [status]);
  return (
    <p role="status" className={styles.said}>
      {status}
    </p>
  );
}
