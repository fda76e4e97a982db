import { z } from 'zod';
import type { Applications } from '../../applications/create-applications.ts';
import { readers } from '../../scopes.ts';
import { declareMethod, noQuery, type ServedMethod, serveMethod } from './method.ts';

const target = z
  .object({
    pattern: z
      .string()
      .describe('Full resource name with placeholders for segments, such as //crm/deals/{deal}.'),
    eventTypes: z.array(z.string()).describe('Types that can be subscribed to there.'),
    clientScope: z.string().optional().meta({
      readOnly: true,
      description: 'If set, only a client that acts for itself may subscribe, with this scope.',
    }),
  })
  .meta({ id: 'ApplicationTarget', description: 'One kind of target of an application.' });

const application = z
  .object({
    name: z.string().describe('Unique name of the application.'),
    targets: z.array(target).describe('What can be subscribed to.'),
    scopes: z.array(z.string()).optional().describe('A caller needs one of these scopes.'),
    builtIn: z
      .boolean()
      .readonly()
      .optional()
      .describe('Output only. Whether it is built in and cannot be removed.'),
  })
  .meta({ id: 'Application', description: 'Something that publishes events.' });

const applicationList = z
  .object({ applications: z.array(application).describe('The whole catalogue.') })
  .meta({ id: 'ListApplicationsResponse', description: 'What can be subscribed to.' });

const empty = z.object({}).meta({ id: 'Empty', description: 'Nothing.' });

export const applicationMethodList = {
  create: declareMethod({
    id: 'applications.create',
    method: 'POST',
    path: '/v1/applications',
    parameters: noQuery,
    request: application,
    response: application,
    scopes: ['admin'],
    description: 'Adds an application to the catalogue.',
  }),
  list: declareMethod({
    id: 'applications.list',
    method: 'GET',
    path: '/v1/applications',
    parameters: noQuery,
    response: applicationList,
    scopes: [...readers, 'admin'],
    description: 'Lists the applications of the catalogue.',
  }),
  delete: declareMethod({
    id: 'applications.delete',
    method: 'DELETE',
    path: '/v1/{name=applications/*}',
    parameters: noQuery,
    response: empty,
    scopes: ['admin'],
    description: 'Removes an application that was added.',
  }),
};

/** `/v1/applications` (E14.15, E14.16): readers may list, administrators may change. */
export function applicationMethods(applications: Applications): ServedMethod[] {
  return [
    serveMethod(applicationMethodList.create, async ({ readBody }) =>
      applications.add(await readBody()),
    ),
    serveMethod(applicationMethodList.list, async () => ({
      applications: await applications.list(),
    })),
    serveMethod(applicationMethodList.delete, async ({ name }) => {
      await applications.remove(name.slice('applications/'.length));
      return {};
    }),
  ];
}
