import { useEffect } from 'react';
import waitingIcon from './icon-waiting.svg';

/** Puts a dot on the icon of the tab while something waits for the user. */
export function useFavicon(isWaiting: boolean): void {
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (link === null || !isWaiting) return;
    const icon = link.href;
    link.href = waitingIcon;
    return () => {
      link.href = icon;
    };
  }, [isWaiting]);
}
