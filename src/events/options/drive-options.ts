import { z } from 'zod';
import { flag } from '../proto-json/fields.ts';
import type { ApplicationOptions, SubscriptionOptions } from './application-options.ts';

const driveField = 'driveOptions';

/** Whether a drive target stands for everything below it (E2.16). A shared drive always does. */
export const driveOptions: ApplicationOptions = {
  field: driveField,
  message: z
    .strictObject(
      {
        includeDescendants: flag
          .optional()
          .describe('On a folder: false for the folder itself, true for everything below it.'),
      },
      'must be an object',
    )
    .meta({ id: 'DriveOptions', description: 'Options of Drive targets.' }),
  read(targetResource, given) {
    const isSharedDrive = targetResource.startsWith('//drive.googleapis.com/drives/');
    if (isSharedDrive && given?.includeDescendants !== true) {
      const description = 'must be true for a shared drive';
      return { violations: [{ field: `${driveField}.includeDescendants`, description }] };
    }
    return { value: given && { includeDescendants: given.includeDescendants ?? false } };
  },
};

/** Whether a subscription to a drive target wants the events of everything below it. */
export function includesDescendants(options: SubscriptionOptions): boolean {
  return options[driveField]?.includeDescendants === true;
}
