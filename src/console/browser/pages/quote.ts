import { html, type VNode } from '../../vendor/preact.js';
import { mountPage } from '../mount-page.ts';

function Quote(): VNode {
  return html`<p class="lead">soon</p>`;
}

mountPage(Quote);
