import { expect, test } from 'vitest';
import { parseNetworks } from '../model/network.ts';
import { guardAddresses, type OutboundError, type Resolve } from './guard-addresses.ts';

const guard = (hostname: string, resolved: string[] = [], allow: string[] = []) =>
  guardAddresses(hostname, {
    resolve: async () => resolved,
    allowNetworks: parseNetworks(allow),
  });

test.each(['1.1.1.1', '93.184.216.34', '172.32.0.1', '2606:4700:4700::1111', '2a00:1450::8a'])(
  'lets the public address %s through [H42]',
  async (address) => {
    expect(await guard(address)).toEqual([address]);
    expect(await guard('public.example', [address])).toEqual([address]);
  },
);

test('gives every address of a name, so that the connection may choose', async () => {
  const addresses = ['93.184.216.34', '2606:4700:4700::1111'];
  expect(await guard('public.example', addresses)).toEqual(addresses);
});

test('one refused address refuses the name, wherever it stands [H43]', async () => {
  for (const addresses of [
    ['93.184.216.34', '10.0.0.1'],
    ['::1', '93.184.216.34'],
  ]) {
    await expect(guard('mixed.example', addresses)).rejects.toMatchObject({
      code: 'NAME_NOT_FOUND',
    });
  }
});

test('tells the same of every name that is not called, and of every address, and the kind to the operator alone [F59]', async () => {
  const told = async (host: string, resolved?: Resolve) => {
    const options = { resolve: resolved ?? (async () => []), allowNetworks: [] };
    const error: OutboundError = await guardAddresses(host, options).catch((reason) => reason);
    const { code, message, details, refusal } = error;
    return { shown: JSON.stringify({ code, message, details }), refusal };
  };
  const nowhere = async () => {
    throw new Error('ENOTFOUND');
  };
  const name = await told('intranet.example', nowhere);
  expect(name.refusal).toEqual({ host: 'intranet.example', kind: 'unresolved' });
  for (const [address, kind] of hostile) {
    const led = await told('intranet.example', async () => [address]);
    expect(led.shown).toBe(name.shown);
    expect(led.refusal).toEqual({ host: 'intranet.example', kind });
    const plain = await told(address);
    expect(plain.shown).toBe((await told('10.20.30.40')).shown.replaceAll('10.20.30.40', address));
    expect(plain.refusal).toEqual({ host: address, kind });
  }
  expect((await told('a.localhost')).shown).toContain('is outside the public internet');
});

const hostile = [
  ['10.20.30.40', 'private'],
  ['127.0.0.1', 'loopback'],
  ['169.254.169.254', 'linkLocal'],
  ['100.64.0.1', 'carrierGradeNat'],
  ['224.0.0.1', 'multicast'],
  ['0.0.0.0', 'unspecified'],
  ['::1', 'loopback'],
  ['fd00::1', 'uniqueLocal'],
] as const;

test('an address in an allowed network is reached, and one in another private network is not [H48]', async () => {
  expect(await guard('10.1.2.3', [], ['10.0.0.0/8'])).toEqual(['10.1.2.3']);
  expect(await guard('intranet.example', ['10.1.2.3'], ['10.0.0.0/8'])).toEqual(['10.1.2.3']);
  await expect(guard('192.168.0.1', [], ['10.0.0.0/8'])).rejects.toMatchObject({
    code: 'ADDRESS_REFUSED',
  });
});

test.each(['localhost', 'LOCALHOST', 'localhost.', 'a.b.localhost', 'a.localhost.'])(
  '%s is loopback whatever the name service says [H43]',
  async (name) => {
    await expect(guard(name, ['93.184.216.34'])).rejects.toMatchObject({ code: 'ADDRESS_REFUSED' });
    expect(await guard(name, ['93.184.216.34'], ['loopback'])).toEqual(['127.0.0.1', '::1']);
  },
);

test('localhost in another place of a name is a name like any other', async () => {
  expect(await guard('localhost.example', ['93.184.216.34'])).toEqual(['93.184.216.34']);
  expect(await guard('notlocalhost', ['93.184.216.34'])).toEqual(['93.184.216.34']);
});

test('a name without addresses is not found', async () => {
  await expect(guard('nobody.example', [])).rejects.toMatchObject({ code: 'NAME_NOT_FOUND' });
});

test('the metadata address of Azure counts as no public one [F23]', async () => {
  await expect(guard('168.63.129.16')).rejects.toMatchObject({ code: 'ADDRESS_REFUSED' });
  expect(await guard('168.63.129.17')).toEqual(['168.63.129.17']);
});
