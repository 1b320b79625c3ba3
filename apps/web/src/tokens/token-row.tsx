import type { ApiToken } from '@sluice/client';
import type { ReactNode } from 'react';
import { visibleText } from '../format/visible-text.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import rows from '../ui/rows.module.css';
import { RelativeTime } from '../ui/time.tsx';

interface TokenRowProps {
  readonly token: ApiToken;
  /** The token's owner, or its reach. */
  readonly about: ReactNode;
  readonly isRevoking: boolean;
  readonly onRevoke: () => void;
}

/** An API token in a list. */
export function TokenRow({ token, about, isRevoking, onRevoke }: TokenRowProps) {
  const { name, scope, hint, expires_at, last_used_at, last_client } = token;
  const isExpired = Date.parse(expires_at) <= Date.now();
  return (
    <li className={rows.row}>
      <span className={rows.grow}>
        <bdi className={rows.strong}>{visibleText(name)}</bdi> <Badge>{scope}</Badge>{' '}
        {isExpired && <Badge tone="bad">expired</Badge>}
        <span className={rows.line}>
          {about} It ends in <code>{hint}</code>.{' '}
          {last_used_at === null ? (
            'Never used.'
          ) : (
            <>
              Used <RelativeTime at={last_used_at} />
              {last_client !== null && <> by {visibleText(last_client)}</>}.
            </>
          )}{' '}
          {isExpired ? 'Expired' : 'Expires'} <RelativeTime at={expires_at} />.
        </span>
      </span>
      <Button tone="danger" busy={isRevoking} aria-label={`Revoke the token ${visibleText(name)}`} onClick={onRevoke}>
        Revoke
      </Button>
    </li>
  );
}
