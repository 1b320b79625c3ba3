import { rubric } from './rubric.ts';

/** A change as a reviewer sees it. */
export interface ShownChange {
  readonly id: string;
  readonly instruction: string;
  readonly patch: string;
  /** What the hidden tests said. */
  readonly tests: string;
}

/** A page that needs no server: a person reads each change, answers the questions, and saves a file. */
export function renderReviewPage(changes: readonly ShownChange[]): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Would you merge it?</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
  article { border-top: 2px solid; margin-top: 2rem; padding-top: 1rem; }
  pre { overflow-x: auto; border: 1px solid #999; padding: .5rem; font-size: 14px; }
  .instruction { white-space: pre-wrap; }
  ins { background: #d6f5d6; color: #000; text-decoration: none; }
  del { background: #fbdcdc; color: #000; text-decoration: none; }
  fieldset { margin: .5rem 0; } label { margin-right: 1rem; } textarea { width: 100%; }
</style>
<h1>Would you merge it?</h1>
<p>Read what was asked and what was changed, and answer as if it were a pull request to a project that you maintain. You are
not told who made a change. When you are done, save the file and give it to the person who runs the bench.</p>
<form>
<p><label>Your name <input name="reviewer" required></label></p>
${changes.map(article).join('\n')}
<p><button>Save the answers</button></p>
</form>
<script>
  const started = Date.now();
  document.querySelector('form').addEventListener('submit', (event) => {
    event.preventDefault();
    const form = new FormData(event.target);
    const ids = ${JSON.stringify(changes.map(({ id }) => id))};
    const questions = ${JSON.stringify([...rubric.map(({ id }) => id), 'comment'])};
    const minutes = Math.round((Date.now() - started) / 60000 / Math.max(1, ids.length));
    const answers = ids.map((change) => ({
      change,
      ...Object.fromEntries(questions.map((name) => [name, form.get(change + '-' + name)])),
      minutes,
    }));
    const text = JSON.stringify({ reviewer: form.get('reviewer'), answers }, null, 2);
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
    link.download = 'answers-' + form.get('reviewer').replace(/\\W+/g, '-') + '.json';
    link.click();
  });
</script>
</html>
`;
}

function article({ id, instruction, patch, tests }: ShownChange): string {
  return `<article>
<h2>Change ${escaped(id)}</h2>
<h3>What was asked</h3>
<div class="instruction">${escaped(instruction)}</div>
<h3>What was changed</h3>
<pre>${patch === '' ? 'nothing' : patch.split('\n').map(diffLine).join('\n')}</pre>
<p>Tests that the author did not see: ${escaped(tests === '' ? 'not run' : tests)}</p>
${rubric.map((one) => question(id, one)).join('\n')}
<p><label>What you would say about it<textarea name="${id}-comment" rows="3"></textarea></label></p>
</article>`;
}

function question(change: string, { id, question: asked, answers }: (typeof rubric)[number]): string {
  const choices = answers.map((answer) => {
    return `<label><input type="radio" name="${change}-${id}" value="${answer}" required> ${answer}</label>`;
  });
  return `<fieldset><legend>${asked}</legend>${choices.join('')}</fieldset>`;
}

function diffLine(line: string): string {
  if (/^\+(?!\+\+)/.test(line)) return `<ins>${escaped(line)}</ins>`;
  return /^-(?!--)/.test(line) ? `<del>${escaped(line)}</del>` : escaped(line);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
