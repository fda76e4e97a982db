type MessageRefusal = {
  readonly status?: number;
  /** Of JSON-RPC 2.0, section 5.1. */
  readonly code: number;
  /** What is wrong and the way out. */
  readonly message: string;
  /** The id of the refused message, if it has one that could be read. */
  readonly id?: string | number;
};

/** The answer to a message that no server of the protocol sees: an error of JSON-RPC. */
export function refuseMessage(refusal: MessageRefusal): Response {
  const { status = 200, code, message, id = null } = refusal;
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id }, { status });
}
