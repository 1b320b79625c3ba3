import { splitArguments } from './split-arguments.ts';

/**
 * How much an assertion pins down, by the names of its matchers: 4 the exact value, 3 a part of it or a value within a
 * tolerance, 2 its kind or its order, 1 that there is something.
 */
export type Rank = 1 | 2 | 3 | 4;

/** Names without `_`, in lower case, after `assert`, `to`, `is`, `should`, `must` and `be` are taken off. */
const names: readonly (readonly [Rank, RegExp])[] = [
  [
    4,
    /^(?:equals?|deepequals?|deepstrictequal|strictequals?|strictequal|eq|eql|eqls|equalto|exactly|same|sameas|identical|identicalto|tobe|be|is|nan|null|nil|none|undefined|true|false|equalvalues|jsoneq|yamleq|elementsmatch|containexactly|containsexactly\w*|matcharray|dictequal|listequal|tupleequal|setequal|sequenceequal|multilineequal|countequal|arrayequals|iterableequals|linesmatch|havebeencalledwith|havebeenlastcalledwith|havebeennthcalledwith|havebeencalled\w*with|havereturnedwith|calledwith|calledoncewith|anycall|hascalls|calledexactlyoncewith|errorid|errorequal|equalerror|matchsnapshot|matchinlinesnapshot|snapshot|inlinesnapshot|debugsnapshot|matchfilesnapshot|havetext|havevalue|havedisplayvalue|members|zero|empty|arrayequal|panics|errormatches|hasvalue|hastostring|reply|status)$/,
  ],
  [
    3,
    /^(?:matcherror|hasitems?|hasitem|hasentry|contains?|containequal|containelements?|containsubset|containsstring|includes?|in|match|matches|matchobject|like|deepinclude|haveproperty|property|propertyval|hasfield|havelength|lengthof|len|length|size|hassize|haslength|closeto|almostequal|indelta|inepsilon|within|bewithin|approx|approxeq|relativeeq|abs|allclose|startswith|endswith|startwith|endwith|regex|regexp|havebeencalledtimes|havecallcount|callcount|calledonce|calledtimes|calledonceexactly|havekey|keys|haskey|subset|superset|errorcontains|errorcontain|erroris|erroras|contain|throwerror|raiseerror|havetextcontent|haveattribute|haveclass|count|onlycontains|containskey|one of|oneof|arrayincluding|hashincluding)$/,
  ],
  [
    2,
    /^(?:notbe|nothingraised|haveoccurred|succeed|notbeequalto|notequals?|notdeepequal|notstrictequal|notequal|ne|notsame|instanceof|instance|isinstance|typeof|aninstanceof|a|an|type|istype|greater|greaterthan|greaterorequal|greaterequal|greaterthanorequal|less|lessthan|lessorequal|lessequal|lessthanorequal|above|below|least|most|atleast|atmost|gt|gte|lt|lte|positive|negative|notempty|havebeencalled|called|throws?|throwsexception|rejects?|raises|error|thrown|raise|wontbeempty|notzero|notcontains?|notin|notinclude|noerror|notthrow|doesnotthrow|notthrows|doesnotreject|success|beok|visible|beinthedocument|inthedocument|responseto|implements)$/,
  ],
  [
    1,
    /^(?:ok|okay|truthy|falsy|falsey|defined|notnull|notnullvalue|notnil|isnotnone|notnone|notundefined|exist|exists|present|some|err|notbenull|any|anything|assert|failed|errored)$/,
  ],
];

/** The rank by name, the highest of several matchers; 4 for an assertion of a project's own, which may be anything. */
export function rankOfNames(matchers: readonly string[]): Rank {
  const ranks = matchers.flatMap((matcher) => rankOfName(matcher) ?? []);
  if (ranks.length === 0) return 4;
  const rank = Math.max(...ranks) as Rank;
  if (!matchers.some((matcher) => /^(?:not|never|not_to|to_not|(?:refute|wont)_\w+)$/.test(matcher))) return rank;
  return matchers.some((matcher) => /null|nil|none|undefined|empty/i.test(matcher)) ? 1 : (Math.min(rank, 2) as Rank);
}

function rankOfName(matcher: string): Rank | null {
  const plain = matcher.replaceAll(/[_!?]/g, '').toLowerCase();
  for (const form of [
    plain,
    plain.replace(/^(?:assert|refute|expect|to|is|should|must|wont|be|have)(?=\w)/, ''),
    plain.replace(/^(?:assert|to|should|must|wont)(?:is|be|have)(?=\w)/, ''),
  ]) {
    const found = names.find(([, pattern]) => pattern.test(form));
    if (found !== undefined) return found[0];
  }
  return null;
}

/** The rank of a condition that must hold: `a == b`, `x in y`, `len(x) > 0`. */
export function rankOfCondition(condition: string): Rank {
  if (/\b(?:abs|fabs|isclose|approx|EPSILON|epsilon)\b/i.test(condition)) return 3;
  if (/\bmatches!\s*\([\s\S]*,\s*(?:_|\.\.)\s*\)$/.test(condition)) return 1;
  if (/\bmatches!\s*\(.*(?:\b_\b|\.\.)/.test(condition)) return 3;
  if (
    /[!=]==?(?!=)|\bis\s+(?:not\s+)?(?:True|False|None|null|nil)\b|[\w)\]]\s+is\s+(?:not\s+)?[a-z_]|\b(?:DeepEqual|deepEqual|cmp\.Diff|\.equals|\.eq)\s*\(|\bbytes\.Equal\b|\berrors\.Is\b|\bmatches!/.test(
      condition,
    )
  ) {
    return /^(?:[^=!]*\b(?:is\s+not|!==?)\s*(?:None|null|nil|undefined)\b|[^=!]*\btypeof\b)/.test(condition) ? 1 : 4;
  }
  if (
    /\bin\b|\.(?:includes|contains|startsWith|starts_with|startswith|endsWith|ends_with|endswith|match|fullmatch|search|test|some|every|any|all)\s*\(|strings\.(?:Contains|HasPrefix|HasSuffix)|\bempty\b|isEmpty|is_empty|^\s*(?:not|!)\s*[\w.]+$/.test(
      condition,
    )
  )
    return 3;
  if (/[<>]=?|\binstanceof\b|\bisinstance\s*\(/.test(condition)) return 2;
  return 1;
}

const JUDGES = /\bassert|\bexpect|[!=]==|\.test\(/;

const ANY_ERROR = /^(?:(?:Runtime)?Exception|BaseException|Error|Throwable|StandardError)?(?:\s*\.class|::class\S*)?$/;

/**
 * The rank of a check for an error: 4 with its words or values, 3 by its type, 2 any. `text` begins at the bracket of
 * the first call.
 */
export function rankOfErrors(text: string, name: string): Rank {
  const inChain = /\.(?:not\.)?(?:to\.)?(?:be\.)?(?:throws?|toThrow\w*|rejectedWith|rejects)\s*\(([\s\S]*)\)\s*$/i.exec(
    text,
  );
  const inRuby = /raise_error\b\s*\(?([\s\S]*?)\)?\s*$/.exec(text);
  const args = splitArguments(inChain?.[1] ?? inRuby?.[1] ?? /^\(([\s\S]*)\)/.exec(text)?.[1] ?? '').map((part) =>
    part.trim(),
  );
  // `assert.throws(f, which)` has the function first, JUnit and unittest have it last.
  const isCall = inChain === null && inRuby === null;
  // The function and its arguments follow the error: `self.assertRaises(KeyError, find, 'x')`.
  const isCalled = /(?:^|\.)(?:assertRaises|assert_raises|raises)$/.test(name) && inRuby === null;
  const which = args.filter(
    (part, index) =>
      part !== '' &&
      !(isCalled && index > 0 && !/^match\s*=/.test(part)) &&
      !/=>|^function\b|^lambda\b|->|^async\b|^func\(/.test(part) &&
      !(isCall && index === 0 && /^(?:assert|t)\.(?:throws|rejects)/.test(name)),
  );
  const [first = ''] = which;
  // A function that looks at the error says more than its type.
  if (isCall && args.slice(1).some((part) => /=>|\bfunction\b/.test(part) && JUDGES.test(part))) return 4;
  if (which.length === 0 || (which.length === 1 && ANY_ERROR.test(first))) return 2;
  return which.length === 1 && /^[A-Za-z_][\w.]*(?:::class\S*)?$/.test(first) ? 3 : 4;
}

/** The same for `assertThatThrownBy(f).isInstanceOf(X.class).hasMessage("x")`, of AssertJ. */
export function rankOfThrown(matchers: readonly string[], text: string): Rank {
  if (matchers.some((matcher) => /message|cause/i.test(matcher))) return 4;
  const which =
    /\.is(?:Exactly)?InstanceOf(?:Any)?\(([\s\S]*?)\)/.exec(text)?.[1] ?? /^\((\w+\.class)\)/.exec(text)?.[1];
  return which === undefined || ANY_ERROR.test(which.trim()) ? 2 : 3;
}
