import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../../../tests/support/fake-clock.ts';
import type { ApplicationDefinition } from '../store/application-store.ts';
import { builtInApplications } from './built-in-applications.ts';
import { createCatalogue } from './create-catalogue.ts';

const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
const dai = '0x6B175474E89094C44Da98b954EedeAC495271d0F';

function setUp() {
  const stored: ApplicationDefinition[] = [];
  const clock = createFakeClock();
  const readAdded = async () => [...stored];
  return { stored, clock, catalogue: createCatalogue({ readAdded, builtIn, clock }) };
}

const servesChain = (chainId: number) => [1, 31337].includes(chainId);
const builtIn = builtInApplications({ folders: ['reports'], servesChain });

async function typesOf(target: string): Promise<readonly string[]> {
  return (await setUp().catalogue.match(target))?.eventTypes ?? [];
}

describe('the public families', () => {
  it('has chat with its batch forms [E10.4, E10.15]', async () => {
    const { catalogue } = setUp();
    expect(await typesOf('//chat.googleapis.com/spaces/AAA')).toEqual([
      'google.workspace.chat.message.v1.created',
      'google.workspace.chat.message.v1.updated',
      'google.workspace.chat.message.v1.deleted',
      'google.workspace.chat.reaction.v1.created',
      'google.workspace.chat.reaction.v1.deleted',
      'google.workspace.chat.membership.v1.created',
      'google.workspace.chat.membership.v1.updated',
      'google.workspace.chat.membership.v1.deleted',
      'google.workspace.chat.space.v1.updated',
      'google.workspace.chat.space.v1.deleted',
    ]);
    const chat = await catalogue.applicationOf('google.workspace.chat.message.v1.batchCreated');
    expect(chat?.name).toBe('chat');
    expect(Object.keys(chat?.batchTypes ?? {})).toHaveLength(12);
    expect(chat?.batchTypes['google.workspace.chat.space.v1.updated']).toBe(
      'google.workspace.chat.space.v1.batchUpdated',
    );
  });

  it('has drive [E10.4, E10.16]', async () => {
    const types = await typesOf('//drive.googleapis.com/files/f');
    expect(types).toHaveLength(26);
    expect(types).toEqual(
      expect.arrayContaining([
        'google.workspace.drive.file.v3.contentChanged',
        'google.workspace.drive.accessproposal.v3.resolved',
        'google.workspace.drive.approval.v3.reviewersChanged',
        'google.workspace.drive.comment.v3.reopened',
        'google.workspace.drive.reply.v3.edited',
        'google.workspace.drive.permission.v3.deleted',
      ]),
    );
    expect(await typesOf('//drive.googleapis.com/drives/d')).toEqual(types);
  });

  it('has meet [E10.4, E10.17]', async () => {
    const types = await typesOf('//meet.googleapis.com/spaces/s');
    expect(types).toHaveLength(13);
    expect(types).toContain('google.workspace.meet.smartNote.v2.fileGenerated');
  });

  it('takes every id of their targets as existing, with - for all [E10.18, E14.10]', async () => {
    for (const target of [
      '//chat.googleapis.com/spaces/anything',
      '//chat.googleapis.com/spaces/-',
      '//drive.googleapis.com/files/-',
      '//meet.googleapis.com/spaces/-',
    ]) {
      expect(await typesOf(target), target).not.toEqual([]);
    }
    expect(await typesOf('//chat.googleapis.com/rooms/a')).toEqual([]);
  });

  it('offers for users their memberships and states in chat, and meet [E10.18, G7, G8, G9]', async () => {
    const types = await typesOf('//cloudidentity.googleapis.com/users/u');
    expect(types.slice(0, 6)).toEqual([
      'google.workspace.chat.membership.v1.created',
      'google.workspace.chat.membership.v1.updated',
      'google.workspace.chat.membership.v1.deleted',
      'google.workspace.chat.spaceReadState.v1.updated',
      'google.workspace.chat.threadReadState.v1.updated',
      'google.workspace.chat.availability.v1.updated',
    ]);
    expect(types.slice(6)).toEqual(await typesOf('//meet.googleapis.com/spaces/s'));
  });

  it('has batch forms of all chat types but availability [G7, G8]', async () => {
    const chat = await setUp().catalogue.applicationOf('google.workspace.chat.space.v1.updated');
    const types = new Set(chat?.targets.flatMap(({ eventTypes }) => eventTypes));
    const without = [...types].filter((type) => chat?.batchTypes[type] === undefined);
    expect(without).toEqual(['google.workspace.chat.availability.v1.updated']);
    expect(chat?.batchTypes['google.workspace.chat.threadReadState.v1.updated']).toBe(
      'google.workspace.chat.threadReadState.v1.batchUpdated',
    );
  });

  it('names the answer to an approval responded, as the guide of Drive does [G12]', async () => {
    const types = await typesOf('//drive.googleapis.com/files/f');
    expect(types).toContain('google.workspace.drive.approval.v3.responded');
    expect(types.join()).not.toContain('reviewerResponded');
  });
});

describe('the own applications', () => {
  it('has pairs of tokens and chains [E14.11]', async () => {
    expect(await typesOf(`//swap/chains/31337/pairs/${usdc}-${dai}`)).toEqual([
      'tradewind.swap.price.v1.moved',
      'tradewind.swap.route.v1.changed',
    ]);
    expect(await typesOf('//swap/chains/31337')).toEqual(['tradewind.swap.rpcs.v1.refreshed']);
    expect(await typesOf('//swap/chains/-')).toEqual(['tradewind.swap.rpcs.v1.refreshed']);
  });

  it.each([
    `//swap/chains/-/pairs/${usdc}-${dai}`,
    `//swap/chains/1/pairs/${usdc}-${usdc}`,
    '//swap/chains/1/pairs/USDC-DAI',
    '//swap/chains/one',
    '//swap/chains/5',
    `//swap/chains/5/pairs/${usdc}-${dai}`,
  ])('has no target %s, which has no events [E14.11]', async (target) => {
    expect(await typesOf(target)).toEqual([]);
  });

  it('has clients and users of authorization, for administrators [E14.13]', async () => {
    const match = await setUp().catalogue.match('//authorization/clients/-');
    expect(match?.application.scopes).toEqual(['admin']);
    expect(match?.eventTypes).toEqual([
      'tradewind.authorization.client.v1.registered',
      'tradewind.authorization.grant.v1.created',
      'tradewind.authorization.grant.v1.revoked',
      'tradewind.authorization.token.v1.reuseDetected',
    ]);
    expect(await typesOf('//authorization/users/u')).toEqual(match?.eventTypes);
  });

  it('has the folders of the settings and no others [E14.14]', async () => {
    expect(await typesOf('//folder/reports')).toHaveLength(4);
    expect(await typesOf('//folder/-')).toHaveLength(4);
    expect(await typesOf('//folder/secrets')).toEqual([]);
  });
});

describe('added applications', () => {
  const crm = {
    name: 'crm',
    targets: [{ pattern: '//crm/deals/{deal}', eventTypes: ['crm.deal.v1.won'] }],
    scopes: [],
  };

  it('are seen within a second of being stored, from any process [E14.9, E14.15]', async () => {
    const { catalogue, stored, clock } = setUp();
    expect(await catalogue.match('//crm/deals/1')).toBeUndefined();
    stored.push(crm);
    clock.advance(999);
    expect(await catalogue.match('//crm/deals/1')).toMatchObject({
      application: { name: 'crm', isBuiltIn: false },
      eventTypes: ['crm.deal.v1.won'],
    });
    expect(await catalogue.applicationOf('crm.deal.v1.won')).toMatchObject({ name: 'crm' });
  });

  it('are asked for again after the store failed', async () => {
    let isDown = true;
    const readAdded = async () => {
      if (isDown) throw new Error('down');
      return [crm];
    };
    const catalogue = createCatalogue({ readAdded, builtIn, clock: createFakeClock() });
    await expect(catalogue.list()).rejects.toThrow('down');
    isDown = false;
    expect(await catalogue.applicationOf('crm.deal.v1.won')).toMatchObject({ name: 'crm' });
  });
});
