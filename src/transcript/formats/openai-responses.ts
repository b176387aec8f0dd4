import type { MessageDraft } from '../message.js';
import type { JsonPath } from '../splice.js';
import type { Entry, Format } from './format.js';
import { isItemMessage, readItem, weighItem } from './response-items.js';
import { arraySlot, field, stringOrNull } from './values.js';

/** Items of the OpenAI Responses API (formats.md section 5): an array, a request, a response, a row each. */
export const openaiResponses: Format = {
  name: 'openai-responses',
  title: 'OpenAI Responses items',
  marks:
    'items with `type` such as function_call, function_call_output, reasoning, or `output_text` in messages',
  pictures: 'in-result',
  citations: 'annotations of the text',
  textBlock: 'input_text',
  weigh: weighItem,
  conversations(value) {
    if (Array.isArray(value)) return isItemList(value) ? [arraySlot(value, [], null)] : null;
    const [input, output] = [field(value, 'input'), field(value, 'output')];
    const isResponse = field(value, 'object') === 'response' && Array.isArray(output);
    if (!isResponse && !isItemList(input)) return null;
    const entries = [...entriesOf(input, ['input']), ...entriesOf(output, ['output'])];
    return [{ id: stringOrNull(field(value, 'id')), entries }];
  },
  read: (entry) => (typeof entry.value === 'string' ? [question(entry.value, entry.at)] : readItem(entry)),
};

/** Items, whatever kinds come later: one of them at least is known for sure. */
function isItemList(value: unknown): value is readonly unknown[] {
  return (
    Array.isArray(value) &&
    value.every((item) => isItemMessage(item) || typeof field(item, 'type') === 'string') &&
    value.some((item) => weighItem(item) > 0)
  );
}

/** What was sent may be a text alone. */
function entriesOf(items: unknown, at: JsonPath): readonly Entry[] {
  if (Array.isArray(items)) return arraySlot(items, at, null).entries;
  return typeof items === 'string' && at[0] === 'input' ? [{ at, value: items }] : [];
}

function question(text: string, at: JsonPath): MessageDraft {
  return {
    at,
    role: 'user',
    speaker: 'operator',
    parts: [{ kind: 'text', text, at, annotations: [] }],
    lists: [],
  };
}
