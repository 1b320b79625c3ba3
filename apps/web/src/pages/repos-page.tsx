import { Page } from '../ui/page.tsx';

export function ReposPage() {
  return <Page title="Repositories">{null}</Page>;
}
