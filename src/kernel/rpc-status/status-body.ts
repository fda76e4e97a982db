import { z } from 'zod';

/** The body of a refusal as google.rpc.Status, under the name that a service describes it by. */
export function statusBody(id: string) {
  return z
    .object({
      error: z.object({
        code: z.int32().describe('The HTTP status.'),
        message: z.string().describe('The explanation, for people.'),
        status: z.string().describe('The canonical status, for programs.'),
        details: z.array(z.looseObject({ '@type': z.string() })),
      }),
    })
    .meta({ id, description: 'What every refusal looks like (google.rpc.Status).' });
}
