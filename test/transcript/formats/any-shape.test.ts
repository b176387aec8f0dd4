import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FORMATS } from '../../../src/transcript/formats/index.js';
import { placedValues, wordsOf } from './readings.js';

const KEYS =
  `role content type text refusal message messages parts kind part_kind id name tool_calls function arguments
  tool_call_id tool_use_id tool_name args input source data uuid parentUuid sessionId isSidechain toolUseResult
  origin choices image_url citations annotations reasoning turn payload timestamp call_id output
  replacement_history summary encrypted_content action sources results metadata __proto__ constructor state
  value toolCallId toolName toolInvocations providerMetadata providerExecuted functionCall functionResponse
  function_response toolResponse response inlineData fileData groundingMetadata groundingChunks
  groundingSupports segment endIndex citationMetadata candidates contents history info $set $rewindTo toolCalls
  result revert sessionID synthetic lc kwargs artifact page_content observation extras cause thought llm_message
  forgotten_event_ids trajectory agent extra from conversations tool_plan document`.split(/\s+/);
const WORDS =
  `user assistant system tool function message summary request response text image image_url file refusal
  thinking document tool_use tool_result web_search_tool_result binary base64 human user-prompt tool-call
  tool-return retry-prompt compaction constructor __proto__ {"a": [] observation: response_item event_msg
  compacted user_message function_call function_call_output custom_tool_call_output reasoning input_text
  output_text input_image web_search_call file_search_call thread_rolled_back exec_command_end model gemini info
  tool-find dynamic-tool source-url output-available output-error completed ses_1 ai HumanMessage ToolMessage
  remove ActionEvent ObservationEvent MessageEvent Condensation run recall condensation gpt observation agent
  COMPLETE <tool_call>`.split(/\s+/);
const word = fc.constantFrom(...WORDS);

/** Values that hold the keys and words of the formats, also where they do not belong. */
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    fc.oneof(word, fc.constantFrom(null, true, 0, 1e308, '', ' ', '\ud83d')),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...KEYS), tie('value'), { maxKeys: 6 }),
    fc.record({ role: word, content: tie('value') }),
    fc.record({ type: word, text: tie('value') }),
    fc.record({ type: word, message: tie('value'), uuid: word }),
    fc.record({ kind: word, parts: fc.array(tie('value'), { maxLength: 3 }) }),
    fc.record({ part_kind: word, content: tie('value') }),
    fc.record({ type: word, payload: tie('value'), timestamp: word }),
    fc.record({ type: word, call_id: word, output: tie('value') }),
    fc.record({ role: word, parts: fc.array(tie('value'), { maxLength: 3 }) }),
    fc.record({ type: word, toolCallId: word, state: word, output: tie('value') }),
    fc.record({ info: tie('value'), parts: fc.array(tie('value'), { maxLength: 3 }) }),
    fc.record({ id: word, type: word, content: tie('value'), toolCalls: tie('value') }),
    fc.record({ functionResponse: fc.record({ name: word, response: tie('value') }) }),
    fc.record({ content: tie('value'), groundingMetadata: tie('value') }),
    fc.record({ type: word, data: tie('value') }),
    fc.record({ source: word, kind: word, observation: tie('value'), llm_message: tie('value') }),
    fc.record({ source: word, action: word, args: tie('value') }),
    fc.record({ observation: word, content: tie('value'), cause: word, extras: tie('value') }),
    fc.record({ history: fc.array(tie('value'), { maxLength: 3 }), trajectory: tie('value') }),
    fc.record({ from: word, value: tie('value') }),
  ),
}));

test.each(FORMATS)('$name reads values of any shape, each text and payload at its place', (format) => {
  fc.assert(
    fc.property(value, (generated) => {
      const json: unknown = JSON.parse(JSON.stringify(generated));
      format.weigh(json);
      format.treeNode?.(json);
      for (const read of format.readInOrder?.([{ at: [], value: json }]) ?? []) expect(read).toBeDefined();
      const watched = format.watchLive?.();
      watched?.see(json, 0);
      watched?.live();
      const slots = format.conversations(json) ?? [{ entries: [{ at: [], value: json }] }];
      const drafts = slots.flatMap(({ entries }) => entries).flatMap((entry) => format.read(entry));
      for (const { at, value: expected } of drafts.flatMap(placedValues)) {
        let found = json;
        for (const key of at) found = Object.getOwnPropertyDescriptor(Object(found), key)?.value;
        expect(wordsOf(found)).toBe(wordsOf(expected));
      }
    }),
    { numRuns: 3000 },
  );
});
