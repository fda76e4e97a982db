import { createHmac, hkdfSync } from 'node:crypto';

/** What makes two requests of an MCP client mean the same subscription (M15). */
export type SubscriptionKey = {
  readonly principal: string;
  /** As it was sent; undefined where events are read here, by poll or stream. */
  readonly url: string | undefined;
  readonly name: string;
  /** As they were sent, before defaults. */
  readonly arguments: Readonly<Record<string, unknown>>;
};

/** Derives the id by which an MCP client knows a subscription from its key, under a key of this server (M16). */
export type DeriveMcpId = (key: SubscriptionKey) => string;

export function deriveMcpIds(masterKey: Uint8Array): DeriveMcpId {
  const secret = new Uint8Array(
    hkdfSync('sha256', masterKey, '', 'tradewind ids of MCP subscriptions', 32),
  );
  return ({ principal, url = null, name, arguments: given }) => {
    const told = canonicalJson([principal, url, name, given]);
    return `sub_${createHmac('sha256', secret).update(told).digest('hex').slice(0, 32)}`;
  };
}

/** RFC 8785: the members of objects in the order of their UTF-16 code units, and no spaces. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}
