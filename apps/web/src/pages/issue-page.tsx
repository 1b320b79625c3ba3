import { Page } from '../ui/page.tsx';

export function IssuePage() {
  return <Page title="Issue">{null}</Page>;
}
