import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { IssueList } from './issue-list.tsx';
import { IssuePage } from './issue-page.tsx';
import { Login } from './login.tsx';
import { refusalOf, sluice } from './sluice.ts';

export function App() {
  const me = useQuery(sluice.auth.me.queryOptions());
  const [issueId, setIssueId] = useState<string | null>(null);
  if (me.isPending) return <p>Loading…</p>;
  if (refusalOf(me.error)?.code === 'session_missing') return <Login />;
  if (me.isError) return <p role="alert">{me.error.message}</p>;
  if (issueId === null) return <IssueList onOpen={setIssueId} />;
  return <IssuePage key={issueId} id={issueId} onClose={() => setIssueId(null)} />;
}
