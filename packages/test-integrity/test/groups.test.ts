import { expect, it } from 'vitest';
import { changeFindings } from '../src/change-findings.ts';

const tests = {
  'spec/stack_spec.rb': {
    skip: 'pending',
    text: `describe Stack do
  describe '#pop' do
    it 'pops' do
      # here
      expect(pop).to eq(2)
    end
  end
end
`,
  },
  'test/stack.js': {
    skip: 'this.skip();',
    text: `describe('Stack', () => {
  describe('pop', () => {
    it('pops', function () {
      # here
      assert.equal(pop(), 2);
    });
  });
});
`,
  },
};

it.each(Object.entries(tests))('tells of a skipped test in %s once, and not of its groups', (path, { skip, text }) => {
  const [before, after] = [text.replace('# here', ''), text.replace('# here', skip)];
  expect(changeFindings({ files: [{ path, before, after }], planned: [] })).toMatchObject([
    { kind: 'test_skipped', detail: expect.stringMatching(/^The test .* is skipped, and was not before\.$/) },
  ]);
});
