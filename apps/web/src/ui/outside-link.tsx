import type { ReactNode } from 'react';

interface OutsideLinkProps {
  readonly href: string | null;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** A page of another site, opened beside this one. An address that is none of the web's is shown and leads nowhere. */
export function OutsideLink({ href, className, children }: OutsideLinkProps) {
  if (href === null || !/^https?:\/\//i.test(href)) return children;
  return (
    <a className={className} href={href} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  );
}
