import type { OperationResource } from '../../subscriptions/operations.ts';
import { type Method, type ServedMethod, serveMethod } from './method.ts';
import { subscriptionMethodList } from './subscription-methods.ts';

/** The versions of the public interface; both have the same methods (G14). */
export const versions = ['v1', 'v1beta'] as const;
export type Version = (typeof versions)[number];

/** The path that a method of the public interface has in another version. */
export function betaPath(method: Pick<Method, 'path'>): `/${string}` {
  return `/v1beta/${method.path.replace('/v1/', '')}`;
}

/** A method at its second address, under a name of its own. */
function betaMethod(method: Method): Method {
  return { ...method, id: `v1beta.${method.id}`, path: betaPath(method) };
}

const publicMethods: readonly Method[] = Object.values(subscriptionMethodList);

/** The methods of the public interface at `/v1beta`. */
export const betaMethodList: readonly Method[] = publicMethods.map(betaMethod);

/** The same with the handlers of `v1`. Operations name their types by the version that is asked. */
export function serveBeta(served: readonly ServedMethod[]): ServedMethod[] {
  return served
    .filter(({ method }) => publicMethods.includes(method))
    .map(({ method, answer }) =>
      serveMethod(betaMethodList[publicMethods.indexOf(method)] ?? method, async (call) =>
        withBetaTypes(await answer(call)),
      ),
    );
}

function withBetaTypes(answer: object): object {
  const { metadata, response }: OperationResource = answer;
  return {
    ...answer,
    ...(metadata === undefined ? {} : { metadata: withBetaType(metadata) }),
    ...(response === undefined ? {} : { response: withBetaType(response) }),
  };
}

function withBetaType(packed: Record<string, unknown>): Record<string, unknown> {
  const type = String(packed['@type']).replace('.subscriptions.v1.', '.subscriptions.v1beta.');
  return { ...packed, '@type': type };
}
