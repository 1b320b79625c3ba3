export { withoutControlSequences } from './control-sequences.ts';
export { hiddenTextWarnings } from './hidden-text.ts';
export { concealInvisible, revealInvisible } from './invisible-text.ts';
export { secretsIn, withoutSecrets } from './known-secrets.ts';
export { neutralCode, neutralPlain, neutralProse, neutralQuote } from './neutral-text.ts';
export { scrub, secretsInUrl } from './scrub.ts';
export { canonicalJson, storableJson, storableText } from './storable-text.ts';
export {
  quotedLines,
  splitUntrusted,
  UNTRUSTED_BASE_HEADING,
  UNTRUSTED_BUILD_HEADING,
  UNTRUSTED_HEADING,
} from './untrusted-part.ts';
export { oneLine, shortened, visibleLine, visiblePath } from './visible-text.ts';
