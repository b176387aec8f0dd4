import { RuleError } from '../transcript/errors.js';
import type { OutlineMessage } from '../transcript/outline.js';

/** A capability as the check sees it: whose returns are its evidence, and whether its record came along. */
export interface CheckedCapability {
  readonly capability: string;
  readonly toolNames: readonly string[];
  readonly stateCarried: boolean;
}

/**
 * Refuses to compact evidence of which nobody knows what was cited: replacing it would keep nothing of it. Pinned by
 * vectors/record-check.jsonl; the first capability in the given order is named.
 * @throws RuleError when evidence below the boundary belongs to a capability without a carried record.
 */
export function checkRecords(
  capabilities: readonly CheckedCapability[],
  messages: readonly OutlineMessage[],
  boundary: number,
): void {
  const earlier = messages.filter((message) => message.isOnPath && message.position < boundary);
  const results = earlier.flatMap((message) => message.results.filter((result) => result.isEditable));
  requireRecords(capabilities, new Set(results.map(({ tool }) => tool)));
}

/** The same check when the tools are known that returned something before the boundary. */
export function requireRecords(
  capabilities: readonly CheckedCapability[],
  earlierTools: ReadonlySet<string | null>,
): void {
  const lost = capabilities.find(
    ({ toolNames, stateCarried }) => !stateCarried && toolNames.some((tool) => earlierTools.has(tool)),
  );
  if (lost === undefined) return;
  throw new RuleError(
    'RuntimeError',
    `Evidence compaction found ${lost.capability} evidence from an earlier question but no record of what it cited, ` +
      'so replacing it would retain nothing. The host must carry the capability state between runs, alongside the ' +
      `message history: ${lost.capability} state was missing.`,
  );
}
