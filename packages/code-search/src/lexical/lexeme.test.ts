import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { createLexer, soughtLexeme } from './lexeme.ts';

const prose = `Routes are matched by the RegExpRouter; connections, relational and generalizations of caching, caresses, ponies,
  agreed, hopping, failing, filing, happy, sky, conditional, rationally, valency, digitizer, conformably, radically,
  differently, vilely, analogously, vietnamization, predication, operator, feudalism, decisiveness, hopefulness,
  formality, sensitivity, sensibility, triplicate, formative, electrical, goodness, revival, allowance, inference,
  adjustable, defensible, irritant, replacement, adjustment, dependent, adoption, communism, activate, angularity,
  effective, bowdlerize, probate, controlling, rolls, is, as, x, HTTP2, v8, 12345, naïve Ångström ÉCOLE`;

describe('lexemes', () => {
  it('are the words that FTS5 makes of the same text', () => {
    const db = new Database(':memory:');
    db.exec(`create virtual table words using fts5 (text, tokenize = 'porter unicode61 remove_diacritics 2');
      create virtual table vocabulary using fts5vocab (words, 'row');`);
    db.prepare('insert into words values (?)').run(prose);
    const expected = db.prepare('select term from vocabulary').pluck().all();
    db.close();
    const found = new Set([...createLexer()(prose)].flatMap(({ parts }) => parts));
    expect([...found].sort()).toEqual(expected);
  });

  it('hold a name with underscores as its parts, and as a whole beside them', () => {
    expect([...createLexer()('__parse_config_file(_x)')]).toEqual([
      { parts: ['pars', 'config', 'file'], whole: 'parse_config_file' },
      { parts: ['x'], whole: null },
    ]);
    expect(soughtLexeme('parse_config_file')).toBe('parse_config_file');
    expect(soughtLexeme('_parsing')).toBe('pars');
    expect(soughtLexeme('__')).toBeNull();
  });
});
