import {
  html,
  render,
  useEffect,
  useErrorBoundary,
  useState,
  type VNode,
} from '../vendor/preact.js';
import { Waiting } from './parts/outcome.ts';
import {
  canSignIn,
  mayUse,
  restoreSession,
  session,
  signIn,
  signOut,
  wasEnded,
} from './sign-in/session.ts';

export type PageOptions = {
  /** The scope without which the page shows nothing; absent for a page that needs no sign-in. */
  readonly scope?: string;
  /** What the page is for, as one sentence for people who are not signed in. */
  readonly purpose?: string;
};

/** Renders a page into the shell, and the buttons to sign in or out beside the navigation. */
export function mountPage(View: () => VNode, options: PageOptions = {}): void {
  const page = document.getElementById('page');
  if (page === null) throw new Error('The shell has no place for the page');
  page.replaceChildren();
  render(html`<${Page} view=${View} ...${options} />`, page);
  mountCorner();
}

/** Renders the buttons to sign in or out beside the navigation; enough for a page whose body the server wrote. */
export function mountCorner(): void {
  const corner = document.getElementById('session');
  if (canSignIn && corner !== null) render(html`<${Corner} />`, corner);
  void restoreSession();
  // On a narrow page the navigation scrolls: bring the entry of this page into view.
  const current = document.querySelector<HTMLElement>('header nav [aria-current]');
  const show = () => current?.parentElement?.scrollTo(current.offsetLeft - 16, 0);
  show();
  addEventListener('resize', show);
}

/** Replaces the heading, on a page about one item. */
export function setHeading(text: string): void {
  const heading = document.getElementById('heading');
  if (heading !== null) {
    heading.textContent = text;
    heading.className = 'thing';
  }
  document.title = `${text} · Tradewind`;
}

function Page({ view: View, scope, purpose }: PageOptions & { view: () => VNode }): VNode {
  const [error, retry] = useErrorBoundary();
  if (error !== undefined) {
    return html`<div class="note bad" role="alert"><p>This page failed: ${String(error)}</p>
      <button onClick=${retry}>Try again</button></div>`;
  }
  if (scope === undefined) return html`<${View} />`;
  if (session.value === undefined) return html`<${Waiting}>Checking who is signed in …<//>`;
  if (session.value === null) return html`<${SignInFirst} purpose=${purpose} />`;
  if (!mayUse(scope)) {
    return html`<p class="note warn">Your account may not do this: it needs <code>${scope}</code>. Ask an admin of this server.</p>`;
  }
  return html`<${View} />`;
}

function SignInFirst({ purpose = 'What is here belongs to people.' }: { purpose?: string }): VNode {
  const ended = 'You were signed out: the server no longer accepts the sign-in of this browser.';
  return html`<div class="empty">${wasEnded.value && html`<p role="status">${ended}</p>`}<p>${purpose}${canSignIn ? ' Sign in to see what is here.' : ''}</p>
    <p>${canSignIn ? html`<button class="main" onClick=${() => signIn()}>Sign in</button>` : 'Nobody can sign in at this process: it runs without authorization.'}</p></div>`;
}

function Corner(): VNode {
  const [isLeaving, leave] = useState(false);
  useEffect(() => {
    if (isLeaving) void signOut().then(() => location.assign('/'));
  }, [isLeaving]);
  if (session.value === undefined) return html``;
  if (session.value === null) return html`<button onClick=${() => signIn()}>Sign in</button>`;
  return html`<a href="/account">Account</a><button aria-disabled=${isLeaving} onClick=${() => leave(true)}>Sign out</button>`;
}
