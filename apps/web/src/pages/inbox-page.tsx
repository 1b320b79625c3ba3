import { Link, useSearch } from '@tanstack/react-router';
import { InboxView } from '../inbox/inbox-view.tsx';
import { buttonClass } from '../ui/button.tsx';
import { Page } from '../ui/page.tsx';

export function InboxPage() {
  const search = useSearch({ from: '/session/issues' });
  return (
    <Page
      wide
      title="Inbox"
      actions={
        <Link to="/issues/new" search={{ repo: search.repo }} className={buttonClass('primary')}>
          New issue
        </Link>
      }
    >
      <InboxView search={search} />
    </Page>
  );
}
