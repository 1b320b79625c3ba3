import type { WantedIssue } from '@sluice/client';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useNotificationState } from '../browser/notification-permission.ts';
import { visibleText } from '../format/visible-text.ts';

const TITLE = 120; // characters; desktops cut longer ones anywhere

const asks: Readonly<Record<WantedIssue['wants'], string>> = {
  plan: 'Plan to approve',
  question: 'Question to answer',
  publish: 'Change to publish',
  failure: 'Failed',
};

/** Tells by the browser what begins to wait for the user, but not in a tab that shows it. A click leads to the issue. */
export function useDecisionNotifications(issues: readonly WantedIssue[] | undefined, isOn: boolean): void {
  const navigate = useNavigate();
  const permission = useNotificationState();
  const seen = useRef<ReadonlySet<string> | null>(null);
  useEffect(() => {
    if (issues === undefined) return;
    const fresh = newlyWanted(seen.current, issues);
    seen.current = new Set(issues.map(waitOf));
    if (!isOn || permission !== 'granted') return;
    for (const { id, wants, title, repo_name: repo } of fresh) {
      const path = `/issues/${id}`;
      if (document.visibilityState === 'visible' && location.pathname === path) continue;
      // Tabs of the same browser use the same tag: the user sees one notification, not one of each.
      const notification = new Notification(`${asks[wants]}: ${visibleText(title).slice(0, TITLE)}`, {
        body: visibleText(repo),
        tag: `${id} ${wants}`,
      });
      notification.onclick = () => {
        window.focus();
        notification.close();
        void navigate({ to: '/issues/$id', params: { id } });
      };
    }
  }, [issues, isOn, permission, navigate]);
}

/** What tells one wait of an issue from its next one. */
export function waitOf({ id, since }: Pick<WantedIssue, 'id' | 'since'>): string {
  return `${id} ${since}`;
}

/** The issues that began to wait since the list was seen last. Nothing is new in the first list. */
export function newlyWanted<Wanted extends Pick<WantedIssue, 'id' | 'since'>>(
  before: ReadonlySet<string> | null,
  now: readonly Wanted[],
): Wanted[] {
  return before === null ? [] : now.filter((issue) => !before.has(waitOf(issue)));
}
