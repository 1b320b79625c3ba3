import { Page } from '../ui/page.tsx';

export function AdminPage() {
  return <Page title="Administration">{null}</Page>;
}
