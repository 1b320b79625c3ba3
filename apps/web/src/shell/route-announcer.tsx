import { useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import hidden from '../ui/visually-hidden.module.css';

/**
 * Does what a browser does when a page loads: after each navigation to another page the focus is at its heading, and a screen
 * reader hears its title.
 */
export function RouteAnnouncer() {
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  const [title, setTitle] = useState('');
  const last = useRef<string>(undefined);
  useEffect(() => {
    const before = last.current;
    last.current = path;
    if (before === undefined || before === path) return;
    // The page has been drawn by then, and has its title.
    const frame = requestAnimationFrame(() => {
      focusPage();
      setTitle(document.title.replace(/^\(\d+\) /, ''));
    });
    return () => cancelAnimationFrame(frame);
  }, [path]);
  return (
    <p className={hidden.hidden} aria-live="polite">
      {title}
    </p>
  );
}

function focusPage(): void {
  const content = document.getElementById('content');
  const chosen = document.activeElement;
  if (content?.contains(chosen) && chosen?.matches('input, textarea, select')) return; // the page has chosen a field itself
  const target = content?.querySelector('h1') ?? content;
  target?.setAttribute('tabindex', '-1');
  target?.focus({ preventScroll: true });
}
