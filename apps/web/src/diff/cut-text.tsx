import { useState } from 'react';
import { formatCount } from '../format/amounts.ts';
import { visibleText } from '../format/visible-text.ts';
import { Button } from '../ui/button.tsx';

const SHOWN = 400; // a name or a sentence; what is longer was made to be

/** Untrusted text of unknown length: cut, with a way to see all of it. */
export function CutText({ text }: { readonly text: string }) {
  const [isWhole, setIsWhole] = useState(false);
  if (text.length <= SHOWN) return visibleText(text);
  return (
    <>
      {visibleText(isWhole ? text : `${text.slice(0, SHOWN)}…`)}{' '}
      <Button onClick={() => setIsWhole(!isWhole)}>
        {isWhole ? 'Show less' : `Show ${formatCount(text.length - SHOWN)} more characters`}
      </Button>
    </>
  );
}
