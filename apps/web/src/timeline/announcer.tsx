import { useEffect, useRef, useState } from 'react';
import type { FeedState } from '../events/issue-feed.ts';
import { visibleText } from '../format/visible-text.ts';
import hidden from '../ui/visually-hidden.module.css';
import { announcement } from './announcement.ts';

/** Tells a screen reader what arrives, the last of a burst only. The history is read, not told. */
export function Announcer({ feed: { events, count, history, phase } }: { readonly feed: FeedState }) {
  const [announcedText, setAnnouncedText] = useState('');
  const announced = useRef({ history, count: 0 });
  const isLoading = phase === 'loading';
  useEffect(() => {
    const from = announced.current.history === history && !isLoading ? announced.current.count : count;
    announced.current = { history, count };
    for (let at = count - 1; at >= from && from > 0; at -= 1) {
      const event = events[at];
      const text = event === undefined ? null : announcement(event);
      if (text !== null) return setAnnouncedText(visibleText(text));
    }
  }, [events, count, history, isLoading]);
  return (
    <p role="status" className={hidden.hidden}>
      {announcedText}
    </p>
  );
}
