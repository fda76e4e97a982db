import { html, useEffect, useState, type VNode } from '../../vendor/preact.js';
import { mountPage } from '../mount-page.ts';
import { Problem, Waiting } from '../parts/outcome.ts';
import { finishSignIn, signIn } from '../sign-in/session.ts';

function Callback(): VNode {
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    finishSignIn(new URLSearchParams(location.search)).then(
      (returnTo) => location.replace(returnTo),
      (problem: unknown) => setError(problem),
    );
  }, []);
  if (error === undefined) return html`<${Waiting}>Fetching your access …<//>`;
  return html`<${Problem} error=${error} /><button class="main" onClick=${() => signIn('/')}>Sign in</button>`;
}

mountPage(Callback);
