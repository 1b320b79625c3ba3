import { Page } from '../ui/page.tsx';

export function NewIssuePage() {
  return <Page title="New issue">{null}</Page>;
}
