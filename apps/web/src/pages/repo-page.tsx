import { Page } from '../ui/page.tsx';

export function RepoPage() {
  return <Page title="Repository">{null}</Page>;
}
