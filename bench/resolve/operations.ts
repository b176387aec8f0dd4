// Conversations made from parts, for what the data set does not have: identifiers, files, codes and product names.
import type { Example, Turn } from './examples.js';

const KINDS: readonly (readonly [string, readonly string[]])[] = [
  ['order', ['48101', 'ORD-7741', '90-3381', '61522']],
  ['ticket', ['T-10442', 'HELP-381', 'SUP-2090', '#7712']],
  ['invoice', ['INV-5580', 'R-20771', '2031-88']],
  ['file', ['src/core/queue.ts', 'settings.toml', 'loader.py', 'docs/setup.md', 'main.css']],
  ['function', ['splitBatch', 'read_header', 'Cache.flush', 'computeTotals', 'toSlug']],
  ['error', ['E_NO_SPACE', 'ERR_4410', 'EPIPE_LOST', 'X0119', 'TS2307']],
  ['branch', ['feature/login', 'hotfix-31', 'release/2.4', 'spike/cache']],
  ['server', ['web-31', 'db-north-2', 'cache07', '10.4.0.12', 'edge-par-3']],
  ['service', ['mail-relay', 'billing-api', 'thumbnailer', 'session-store']],
  ['incident', ['INC-771', 'OUT-20', 'PD-88120']],
  ['table', ['users_daily', 'fact_orders', 'stg_events', 'dim_shop']],
  ['column', ['unit_price', 'created_at', 'is_active', 'net_total']],
  ['product', ['Lorano', 'Velden', 'Quista', 'Norrby', 'Tamsin']],
  ['lamp', ['Orvik', 'Belisa', 'Sunder']],
  ['plan', ['Basic', 'Studio', 'Harvest']],
  ['version', ['3.1.0', '2.9', '5.0.0-rc1']],
  ['package', ['fastparse', 'lodash-es', 'httpx', 'Pillow']],
  ['engineer', ['Noor', 'Tobias', 'Marisol', 'Henning']],
];
const INTRODUCTIONS: readonly (readonly [string, string])[] = [
  ['Where can I see the {kind} {name}?', 'The {kind} {name} is shown on the overview page.'],
  ['what about {name}', '{name} was checked yesterday and looks fine.'],
  ['Which {kind} should I look at first?', 'Start with {name}, it is the one most people ask about.'],
  ['is there a {kind} for that', 'Yes, {name}. It was added in spring and is used by the finance team.'],
  ['I have a problem with {name}.', 'Sorry to hear that. What exactly happens?'],
  ['tell me about {name}', '{name} handles the nightly run and writes its results to disk.'],
  [
    'My {kind} is {name}, it came back with a warning.',
    'Thanks. The warning of {name} is harmless and goes away after a restart.',
  ],
  ['Who knows why everything is slow today?', 'The cause is {name}: it holds a lock for several minutes.'],
  ['{name} stopped working this morning', 'Noted, I have put {name} on the list.'],
  [
    'what changed last night',
    'Two things: the certificates were renewed and {name} was moved to the new rack.',
  ],
];
const FOLLOW_UPS = [
  'how do I restart it?',
  'what is its size?',
  'and since when?',
  'who owns that {kind}?',
  'is it still running?',
  'what was its code again?',
  'can I delete it',
  'why?',
  'when was it created?',
  'how much does it cost?',
  'show me the history of that {kind}',
  'and the owner?',
  'what happens if it fails?',
  'does that one have a limit?',
  'who changed it last?',
  'ok, and how big is it now?',
  'what did you say the status was?',
  'can you check that again?',
  'who can help me with this?',
  'is there a newer one?',
  'what does the {kind} depend on?',
  'remind me what it does',
];
const OWN = [
  'what is the status of {other}?',
  'who owns {other}',
  'how do I restart {other}?',
  'Where is {other} documented?',
  'can {other} be deleted?',
  'how do I reset my password?',
  'what does a load balancer do?',
  'how can I export data as CSV?',
  'Which regions are supported?',
  'what is the difference between a join and a union?',
  'how long does shipping to Norway take?',
  'is there a student discount?',
  'When does the shop in Leeds open?',
  'new topic: how do I add a user?',
  'what is the fastest way to copy a large folder?',
];
const BETWEEN: readonly (readonly [string, string])[] = [
  ['thanks', 'You are welcome!'],
  ['ok', 'Anything else?'],
  ['and is it documented?', 'Yes, there is a short page about it.'],
  ['good to know', 'Let me know if you need more.'],
  ['how long will that take?', 'About four minutes.'],
];
const BEFORE: readonly (readonly [string, string])[] = [
  ['hi', 'Hello! How can I help you today?'],
  ['when are you open?', 'Every day from nine to five.'],
  ['Did the {otherKind} {other} ever come back?', 'No, {other} was closed in May.'],
  ['we use {other} at the moment', 'Good choice, {other} is well supported.'],
];

export function makeOperations(count: number): readonly Example[] {
  return Array.from({ length: count }, (_, i) => makeExample(i));
}

function makeExample(i: number): Example {
  const [kind, names] = pick(KINDS, i * 7 + 3);
  const [otherKind, otherNames] = pick(KINDS, i * 5 + (i % 3) + 1);
  const name = pick(names, Math.floor(i / 3));
  const other = pick(otherNames, Math.floor(i / 2) + 1);
  const fill = (text: string) =>
    text
      .replaceAll('{kind}', kind)
      .replaceAll('{otherKind}', otherKind)
      .replaceAll('{name}', name)
      .replaceAll('{other}', other);
  const isDirect = i % 3 === 0;
  const turns = [
    ...(i % 4 === 1 ? [pick(BEFORE, Math.floor(i / 4))] : []),
    pick(INTRODUCTIONS, i),
    ...(i % 5 < 2 ? [pick(BETWEEN, Math.floor(i / 5))] : []),
  ];
  const history: readonly Turn[] = turns.flatMap(([user, assistant]) => [
    { role: 'user' as const, text: fill(user) },
    { role: 'assistant' as const, text: fill(assistant) },
  ]);
  const query = fill(pick(isDirect ? OWN : FOLLOW_UPS, Math.floor(i / 3) * 11 + i));
  const gold = isDirect || other === name ? [] : (name.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []);
  return {
    id: `operations:${i}`,
    dataset: 'operations',
    conversation: `operations:${name}`,
    history,
    query,
    gold_terms: gold,
    mode: gold.length === 0 ? 'direct' : 'contextual',
  };
}

function pick<Item>(items: readonly Item[], i: number): Item {
  const item = items[i % items.length];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}
