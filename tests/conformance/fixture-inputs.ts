import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequests,
  inputRequired,
  inputResponse,
  type McpServer,
  type RequestStateCodec,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';

const text = (words: string) => ({ content: [{ type: 'text' as const, text: words }] });

const ask = <Field extends string>(message: string, field: Field, kind: z.ZodType = z.string()) =>
  inputRequired.elicit({ message, requestedSchema: z.object({ [field]: kind }) });
const sample = (question: string, maxTokens: number) =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: question } }],
    maxTokens,
  });

/** Tools and the prompt of the suite that ask for input before they answer, as revision 2026-07-28 defines it. */
export function registerInputs(server: McpServer, states: RequestStateCodec<string>): void {
  const tool = (
    name: string,
    run: (context: ServerContext) => Promise<ReturnType<typeof inputRequired | typeof text>>,
  ) => server.registerTool(name, { description: `Needs input: ${name}.` }, run);

  tool('test_input_required_result_elicitation', async ({ mcpReq }) => {
    const answer = acceptedContent(
      mcpReq.inputResponses,
      'user_name',
      z.object({ name: z.string() }),
    );
    if (answer !== undefined) return text(`Hello, ${answer.name}!`);
    return inputRequired({ inputRequests: { user_name: ask('What is your name?', 'name') } });
  });
  tool('test_streaming_elicitation', async ({ mcpReq }) => {
    if (acceptedContent(mcpReq.inputResponses, 'answer') !== undefined) return text('Thank you.');
    return inputRequired({ inputRequests: { answer: ask('What do you say?', 'answer') } });
  });
  tool('test_input_required_result_sampling', async ({ mcpReq }) => {
    const answer = inputResponse(mcpReq.inputResponses, 'capital_question');
    if (answer.kind === 'sampling') return text(JSON.stringify(answer.result.content));
    const capital_question = sample('What is the capital of France?', 100);
    return inputRequired({ inputRequests: { capital_question } });
  });
  tool('test_missing_capability', async ({ mcpReq }) => {
    const answer = inputResponse(mcpReq.inputResponses, 'thought');
    if (answer.kind === 'sampling') return text('Thought.');
    return inputRequired({ inputRequests: { thought: sample('Think.', 10) } });
  });
  tool('test_input_required_result_list_roots', async ({ mcpReq }) => {
    const answer = inputResponse(mcpReq.inputResponses, 'client_roots');
    if (answer.kind === 'roots') return text(answer.roots.map(({ uri }) => uri).join(', '));
    return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  });
  for (const name of ['request_state', 'tampered_state']) {
    tool(`test_input_required_result_${name}`, async (context) => {
      const { mcpReq } = context;
      const isAnswered = acceptedContent(mcpReq.inputResponses, 'confirm') !== undefined;
      if (isAnswered && mcpReq.requestState<string>() === name) return text('state-ok');
      return inputRequired({
        inputRequests: { confirm: ask('Please confirm', 'ok', z.boolean()) },
        requestState: await states.mint(name, context),
      });
    });
  }
  tool('test_input_required_result_multiple_inputs', async (context) => {
    const { inputResponses } = context.mcpReq;
    const keys = ['user_name', 'greeting', 'client_roots'];
    if (keys.every((key) => inputResponse(inputResponses, key).kind !== 'missing')) {
      return text('All three arrived.');
    }
    return inputRequired({
      inputRequests: {
        user_name: ask('What is your name?', 'name'),
        greeting: sample('Generate a greeting', 50),
        client_roots: inputRequired.listRoots(),
      },
      requestState: await states.mint('multiple', context),
    });
  });
  tool('test_input_required_result_multi_round', async (context) => {
    const { inputResponses } = context.mcpReq;
    const state = context.mcpReq.requestState<string>();
    if (state === 'second' && acceptedContent(inputResponses, 'step2')) return text('Two rounds.');
    const isSecond = state === 'first' && acceptedContent(inputResponses, 'step1') !== undefined;
    return inputRequired({
      inputRequests: isSecond
        ? { step2: ask('Step 2: What is your favorite color?', 'color') }
        : { step1: ask('Step 1: What is your name?', 'name') },
      requestState: await states.mint(isSecond ? 'second' : 'first', context),
    });
  });
  tool('test_input_required_result_capabilities', async ({ mcpReq }) => {
    if (mcpReq.inputResponses !== undefined) return text('Thank you.');
    const meta: Record<string, unknown> = { ...mcpReq.envelope, ...mcpReq._meta };
    const capabilities = z.looseObject({}).catch({}).parse(meta[CLIENT_CAPABILITIES_META_KEY]);
    const inputRequests: InputRequests = {
      ...('elicitation' in capabilities ? { name: ask('What is your name?', 'name') } : {}),
      ...('sampling' in capabilities ? { thought: sample('Think.', 10) } : {}),
    };
    return inputRequired({ inputRequests });
  });
  server.registerPrompt(
    'test_input_required_result_prompt',
    { description: 'A prompt that needs input.' },
    async ({ mcpReq }) => {
      const answer = acceptedContent(
        mcpReq.inputResponses,
        'user_context',
        z.object({ context: z.string() }),
      );
      if (answer === undefined) {
        const user_context = ask('What context should the prompt use?', 'context');
        return inputRequired({ inputRequests: { user_context } });
      }
      const content = { type: 'text' as const, text: `Use this context: ${answer.context}` };
      return { messages: [{ role: 'user' as const, content }] };
    },
  );
}
