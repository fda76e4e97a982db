import type { SubscriptionResource } from './subscription-message.ts';

export type OperationKind = 'Create' | 'Update' | 'Delete' | 'Reactivate';

/** What a finished operation failed with (google.rpc.Status): `code` is the gRPC number (E4.4). */
export type OperationError = {
  readonly code: number;
  readonly message: string;
  readonly details: readonly object[];
};

/** A mutation and its outcome. */
export type Operation = {
  /** `operations/…` */
  readonly name: string;
  readonly principal: string;
  readonly kind: OperationKind;
  /** '' if the subscription did not exist. */
  readonly subscriptionId: string;
  /** The request id that create was given, to detect repetitions (E8.24). */
  readonly requestId: string | undefined;
  readonly createdAt: number;
  /** Undefined while it runs, then exactly one of the two (E4.3). */
  readonly result:
    | undefined
    | { readonly response: SubscriptionResource; readonly error?: undefined }
    | { readonly error: OperationError; readonly response?: undefined };
};
