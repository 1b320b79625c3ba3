import { describe, expect, it } from 'vitest';
import { ConfigError, parseConfig } from './parse-config.ts';

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    parseConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('the contact for reports of vulnerabilities', () => {
  it('is none unless the operator names one', () => {
    expect(parseConfig({}).securityContact).toBeNull();
    expect(parseConfig({ SECURITY_CONTACT: 'mailto:security@example.com' }).securityContact).toEqual({
      contacts: ['mailto:security@example.com'],
      policy: null,
      languages: ['en'],
    });
    expect(
      parseConfig({
        SECURITY_CONTACT: 'https://example.com/report, tel:+1-201-555-0123',
        SECURITY_POLICY: 'https://example.com/policy',
        SECURITY_LANGUAGES: 'de, pt-BR',
      }).securityContact,
    ).toEqual({
      contacts: ['https://example.com/report', 'tel:+1-201-555-0123'],
      policy: 'https://example.com/policy',
      languages: ['de', 'pt-BR'],
    });
  });

  it.each([
    ['SECURITY_CONTACT', 'security@example.com'],
    ['SECURITY_CONTACT', 'http://example.com/report'],
    ['SECURITY_CONTACT', 'javascript:alert(1)'],
    ['SECURITY_CONTACT', 'mailto:a@example.com\nExpires: 2000-01-01T00:00:00Z'],
    ['SECURITY_CONTACT', ','],
    ['SECURITY_POLICY', 'http://example.com/policy'],
    ['SECURITY_POLICY', 'https://example.com/a b'],
    ['SECURITY_LANGUAGES', 'en\nContact: mailto:b@example.com'],
    ['SECURITY_LANGUAGES', 'English!'],
  ])('refuses %s=%j', (name, value) => {
    const problems = problemsOf({ SECURITY_CONTACT: 'mailto:a@example.com', [name]: value });
    expect(problems).toEqual([expect.stringContaining(`${name}: `)]);
  });
});
