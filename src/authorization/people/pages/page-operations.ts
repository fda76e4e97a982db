import { z } from 'zod';
import type { Operation, OperationMethod } from '../../../kernel/edge/operation.ts';
import { linkPaths } from '../accounts/manage-people.ts';
import { callbackPath } from '../identity-provider/identity-provider.ts';
import { invitePlace, linkPlace } from '../place.ts';
import { walletScriptPath } from './other-ways.ts';

const pageRefusals = {
  400: 'The form is invalid.',
  403: 'The form does not belong to this page.',
  404: 'There is nothing here.',
  413: 'The body is too large.',
  429: 'Retry-After says how many seconds to wait.',
  503: 'Try again in a moment.',
};

/** A posted form proves which page it comes from, by a key that other pages do not know. */
function page(
  method: OperationMethod,
  path: Operation['path'],
  fields: readonly string[] = [],
): Operation {
  const name = path.replaceAll(/[^a-z]+/gi, '-');
  const shape = Object.fromEntries(
    [...fields, ...(method === 'POST' ? ['form_key'] : [])].map((field) => [
      field,
      z.string().optional(),
    ]),
  );
  return {
    id: `${method === 'GET' ? 'show' : 'post'}${name}`,
    method,
    path,
    summary: 'A page for people',
    description: 'A page for people.',
    parameters: z.object(method === 'GET' ? shape : {}),
    ...(method === 'POST'
      ? { body: { types: ['application/x-www-form-urlencoded'], schema: z.object(shape) } }
      : {}),
    answer: { type: 'text/html' },
    scopes: [],
    errors: pageRefusals,
  };
}

const interaction = '/authorize/{interaction}';

/** Every page for people, and what is posted from each. */
export const pageOperations: readonly Operation[] = [
  page('GET', walletScriptPath),
  page('GET', '/account'),
  page('GET', '/account/set-up', ['secret']),
  page('POST', '/account/set-up', ['secret', 'password', 'repeated']),
  ...Object.values(linkPaths).flatMap((path) => [
    page('GET', path, ['secret']),
    page('POST', path, ['secret', 'password', 'repeated']),
  ]),
  page('POST', '/account/sign-out'),
  page('POST', '/account/revoke', ['grant']),
  page('POST', '/account/password', ['current', 'password', 'repeated']),
  page('POST', '/account/unlink', ['issuer', 'subject']),
  page('POST', '/account/add-account', ['name', 'password', 'repeated']),
  page('POST', '/account/remove-account', ['account']),
  page('POST', '/account/add-client', ['name', 'redirects', 'kind']),
  page('POST', '/account/remove-client', ['client']),
  page('GET', '/device', ['user_code']),
  page('POST', '/device/code', ['user_code']),
  page('GET', '/device/allowed'),
  page('GET', '/device/denied'),
  page('GET', callbackPath, ['code', 'state', 'error', 'iss']),
  page('GET', interaction),
  page('POST', `${interaction}/consent`, ['decision', 'scope']),
  ...(['/account', interaction] as const).flatMap((place) => [
    page('POST', `${place}/sign-in`, ['username', 'password']),
    page('POST', `${place}/switch`),
    ...proofs(place),
  ]),
  ...proofs(invitePlace.path, ['secret']),
  ...proofs(linkPlace.path),
];

/** What is posted from a page on which people prove who they are elsewhere. */
function proofs(place: Operation['path'], fields: readonly string[] = []): Operation[] {
  return [
    page('POST', `${place}/wallet`, ['nonce', 'signature', ...fields]),
    page('POST', `${place}/wallet/challenge`, ['address', 'chain_id']),
    page('POST', `${place}/third-party`, fields),
  ];
}
