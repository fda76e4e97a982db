import { facts } from './facts.ts';
import { learnTime, proveCall } from './sign-in/dpop.ts';
import { currentToken, drop } from './sign-in/session.ts';

/** A call of the published interface. */
export type ApiCall = {
  /** GET unless said otherwise. */
  readonly method?: string;
  /** Left out where undefined or empty. */
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, in place of a body. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
};

/** A refusal, read from the envelope of any service: its message, and the fields that it is about. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  /** Messages by the name of the wrong parameter or field. */
  readonly fields: Readonly<Record<string, string>>;

  constructor(refusal: {
    status: number;
    code: string;
    message: string;
    fields: Record<string, string>;
  }) {
    super(refusal.message);
    this.status = refusal.status;
    this.code = refusal.code;
    this.fields = refusal.fields;
  }
}

/**
 * Calls the interface and returns its JSON, without the success envelope if it has one; `undefined` for
 * an empty body. If a person is signed in, it sends their token with a DPoP proof. Throws {@link ApiError}
 * for a refusal and `TypeError` if the server cannot be reached.
 */
export async function callApi<T>(path: string, call: ApiCall = {}): Promise<T> {
  const response = await fetchApi(path, call);
  const text = await response.text();
  const body = parse(text);
  if (!response.ok) throw refusalOf(response.status, body);
  // The interface is ours and its answers are checked by its own tests.
  return (isEnvelope(body) ? body.data : body) as T;
}

/** The same without reading the body, for streams. After a 401 it tries once more with a new token. */
export async function fetchApi(path: string, call: ApiCall = {}): Promise<Response> {
  const token = await currentToken().catch(() => undefined);
  const response = await send(path, call, token);
  if (response.status !== 401 || token === undefined) return response;
  learnTime(response);
  const fresh = await currentToken({ isRefused: token }).catch(() => undefined);
  if (fresh === undefined) return response;
  const again = await send(path, call, fresh);
  if (again.status === 401) await drop();
  return again;
}

async function send(path: string, call: ApiCall, token: string | undefined): Promise<Response> {
  const { method = 'GET', query = {}, body, text, headers = {}, signal } = call;
  const url = new URL(path, location.origin);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') url.searchParams.set(name, String(value));
  }
  const proof =
    token && (await proveCall({ method, url: facts.origin + url.pathname, accessToken: token }));
  return fetch(url, {
    method,
    headers: {
      Accept: 'application/json',
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(token && proof ? { Authorization: `DPoP ${token}`, DPoP: proof } : {}),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(text === undefined ? {} : { body: text }),
    ...(signal === undefined ? {} : { signal }),
    credentials: 'omit',
  });
}

function parse(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}

function isEnvelope(body: unknown): body is { data: unknown } {
  return typeof body === 'object' && body !== null && 'success' in body && 'data' in body;
}

type Refusal = {
  error?: string | { code?: string | number; message?: string; status?: string; details?: unknown };
  error_description?: string;
};

/** Reads the envelopes of swap, events and authorization. */
function refusalOf(status: number, body: unknown): ApiError {
  const { error, error_description } = (typeof body === 'object' ? body : {}) as Refusal; // read with care below
  if (typeof error !== 'object') {
    const message = error_description ?? `The server answered ${status}.`;
    return new ApiError({ status, code: error ?? String(status), message, fields: {} });
  }
  const { code, message = `The server answered ${status}.`, details } = error;
  return new ApiError({
    status,
    code: error.status ?? String(code ?? status),
    message,
    fields: fieldsOf(details),
  });
}

function fieldsOf(details: unknown): Record<string, string> {
  if (Array.isArray(details)) {
    const violations = details.flatMap((one) => one?.fieldViolations ?? []);
    return Object.fromEntries(
      violations.map(({ field, description }) => [field, String(description)]),
    );
  }
  return Object.fromEntries(
    Object.entries(details ?? {}).filter(([, value]) => typeof value === 'string'),
  );
}
