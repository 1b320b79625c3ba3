import { Page } from '../ui/page.tsx';

export function NewRepoPage() {
  return <Page title="Add a repository">{null}</Page>;
}
