import type { ReactNode } from 'react';

/** A name and its value in a list of facts (`dl`), whose look is the list's. */
export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
