/**
 * The target that stands for everything of Chat (G4). This server is one customer, so every id of one means it (G6):
 * subscriptions are kept and found under the alias, whichever was given.
 */
export const customerTarget = {
  pattern: '//admin.googleapis.com/customers/{customer}',
  name: '//admin.googleapis.com/customers/my_customer',
  /** The events that it gets, by the beginning of their subject: those of every space and user. */
  subjects: ['//chat.googleapis.com/', '//cloudidentity.googleapis.com/users/'],
} as const;

const customerShape = /^\/\/admin\.googleapis\.com\/customers\/(?:my_customer|C[0-9A-Za-z]+)$/;

export function isCustomer(targetResource: string): boolean {
  return customerShape.test(targetResource);
}

/** The one name of a target that may be spelled in several ways. */
export function targetNameOf(targetResource: string): string {
  return isCustomer(targetResource) ? customerTarget.name : targetResource;
}
