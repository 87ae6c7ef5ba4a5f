export type Kind = 'source' | 'push' | 'tracker'

/**
 * A case that connectors have to survive. `suite`: for which kinds of connectors it is one, and which checks of the conformance suite
 * are part of it, by the beginnings of their names. Tests are written as `file: beginning of the name`, the file relative to the project
 * and without `.test.ts`. `tests`: those of other suites that run over every connector. `core`: those of the part that no connector
 * implements. `skips`: its tests may be skipped, with a reason.
 */
export type MatrixCase = {
  number: number
  text: string
  suite: Partial<Record<Kind, readonly string[]>>
  tests?: (id: string, kind: Kind) => readonly string[]
  core: readonly string[]
  skips?: true
}

/** Tests of a file of a feature; without names, all of them. */
const server = (file: string, ...names: string[]) =>
  (names.length > 0 ? names : ['']).map((name) => `server/features/${file}: ${name}`)

const BROKEN = ['500', 'reset', 'cut', 'silence', 'malformed', 'html', 'truncated', 'wrong-types', 'missing-fields']

/** The acceptance matrix: a row for each of these cases, a column for each connector with a tile. */
export const matrixCases: readonly MatrixCase[] = [
  {
    number: 1,
    text: 'by token and by OAuth; an administrator’s consent; a missing permission is named',
    suite: { source: [], push: [], tracker: [] },
    core: server('connections/sign-in/oauth', 'the workspace’s own app', 'signing in', 'by a pasted token'),
  },
  {
    number: 2,
    text: 'settings before signing in; a hostile host is refused',
    suite: { source: [], push: [], tracker: [] },
    core: server('connections/sign-in/oauth-fields'),
  },
  {
    number: 3,
    text: 'refresh: 20 parallel calls make one; killed before it is stored; revoked',
    suite: {
      source: ['and reports revoked', 'and reports credentials that expire'],
      push: [],
      tracker: ['on revoked'],
    },
    core: [
      ...server('connections/sign-in/refresh', 'credentials that end', 'a refresh'),
      ...server('syncs/refresh', 'credentials that end', 'a refresh'),
    ],
  },
  {
    number: 4,
    text: 'the backfill equals what the provider holds: ids, text, author, role, thread, date, link',
    suite: { source: ['every item once'] },
    core: server('syncs/sync', 'a sync > starts automatically, reads everything once'),
  },
  {
    number: 5,
    text: 'the provider’s own count is compared, and a shortfall is shown',
    suite: { source: [] },
    core: [],
  },
  {
    number: 6,
    text: 'a reply to an old thread; the second page of children',
    suite: { source: ['only new items the next time'] },
    core: [],
  },
  {
    number: 7,
    text: 'edited, deleted, redacted, a whole thread, with and without events',
    suite: { source: ['and removes what was deleted', 'what was edited'] },
    core: [
      ...server('syncs/deleted-threads', 'a page that reports', 'an event that reports'),
      ...server('syncs/mass-deletion'),
    ],
  },
  {
    number: 8,
    text: 'private notes, agents and direct messages are never mentions',
    suite: { source: ['with the words of agents as context only'] },
    core: server('syncs/shared-channels'),
  },
  {
    number: 9,
    text: 'rich bodies: blocks, cards, HTML, quoted mail, signatures, 100 kB',
    suite: { source: [] },
    core: [],
  },
  {
    number: 10,
    text: 'kills, every cursor, an expired cursor, the same page twice, the boundary second',
    suite: { source: ['from every cursor', 'the same set whatever interrupts it'] },
    core: server(
      'syncs/sync',
      'a sync > killed at 30 random moments',
      'a sync > is stored by one of two readers',
      'a sync > is cancelled between two pages',
    ),
  },
  {
    number: 11,
    text: 'limits by the provider’s own headers; the pause is shared by processes',
    suite: {
      source: ['and reports 429', 'and waits as long as the provider asks', 'and loses nothing when 429'],
      push: ['and passes on how long a 429 asks to wait'],
      tracker: ['on 429'],
    },
    core: server('connections/pauses/pauses'),
  },
  {
    number: 12,
    text: '5xx, reset, HTML, malformed replies, silence',
    suite: {
      source: BROKEN.flatMap((fault) => [`and reports ${fault} `, `and loses nothing when ${fault} `]),
      push: ['and reports 5', 'and reports a hang, a reset and a truncated response'],
      tracker: ['on 500', 'on html', 'finds the item whose creation ended with'],
    },
    core: server('syncs/sync', 'a fault'),
  },
  {
    number: 13,
    text: 'events forged, late, twice, out of order, another tenant’s; the handshake',
    suite: { source: ['and accepts an event only as it was signed', 'and makes of an event'], push: [], tracker: [] },
    core: [
      ...server('syncs/event-order'),
      ...server('syncs/events'),
      ...server('connections/subscriptions/subscriptions', 'an event with a key'),
      ...server('syncs/tracker-events', 'a destination’s event reports states, each event once'),
    ],
  },
  {
    number: 14,
    text: 'a subscription renewed, suspended; a lost event is found by polling',
    suite: { source: [], push: [], tracker: [] },
    core: [
      ...server('connections/subscriptions/subscriptions', 'a subscription'),
      ...server('syncs/sweep', 'an event whose job was lost is handled'),
    ],
  },
  {
    number: 15,
    text: 'ten kills between creating and recording, a lost answer, two workers: one item',
    suite: {
      push: ['in one request with the delivery id'],
      tracker: ['creates one item', 'has one item after ten kills', 'finds the item whose creation ended with'],
    },
    core: [
      ...server(
        'deliveries/trackers/push',
        'ten kills between',
        'an answer that is lost',
        'eight workers and a replay',
        'two deliveries never work',
      ),
      ...server('deliveries/push', 'eight workers at once', 'a crash between sent and recorded'),
    ],
  },
  {
    number: 16,
    text: 'search that lags 60 seconds: still one item',
    suite: { tracker: ['says for how long search may lag'] },
    core: server('deliveries/trackers/push', 'while search may lag', 'a creation that failed is repeated'),
  },
  {
    number: 17,
    text: '20 updates are one rolling comment or description',
    suite: { tracker: ['shows 20 updates in its text or in one comment'] },
    core: server('deliveries/trackers/push', 'an insight becomes one item'),
  },
  {
    number: 18,
    text: 'a required custom field: found at set-up, explained, no retries',
    suite: { tracker: [] },
    core: server('deliveries/required-choices'),
  },
  {
    number: 19,
    text: 'project gone; item deleted, moved, transferred; right removed',
    suite: {
      tracker: [
        'reports an item that is no longer there',
        'reads back what was closed',
        'tells an item that was closed',
      ],
    },
    core: server('deliveries/trackers/push', 'an item that was deleted there is reported'),
  },
  {
    number: 20,
    text: 'closed there is resolved here; a new mention regresses it; no echo',
    suite: {
      tracker: [
        'updates a closed item, and reopens it only when asked to',
        'reads back what was closed',
        'tells an item that was closed',
      ],
    },
    core: server('deliveries/trackers/status'),
  },
  {
    number: 21,
    text: 'a rate limit of an hour, a sign-in lost and regained: nothing is dropped',
    suite: { push: ['and reports 429', 'and passes on how long'], tracker: ['on 429', 'on revoked'] },
    core: [
      ...server(
        'deliveries/failures',
        'a receiver that asks for a pause is never given up on',
        'where the sign-in is lost everything waits',
      ),
      ...server('deliveries/trackers/push', 'a rate limit of an hour', 'what waits for a lost sign-in'),
    ],
  },
  {
    number: 22,
    text: 'every call fits the official description; requests at most 1.2 times the least',
    suite: { source: [], push: [], tracker: [] },
    tests: (id, kind) => (kind === 'source' ? [`connectors/volume: ${id} > reads 1,000 items`] : []),
    core: [],
    skips: true,
  },
  {
    number: 23,
    text: 'no secret and no customer text in a log; a disconnect revokes where it can',
    suite: {
      source: ['without a secret or customer text in its log', 'and reports'],
      push: ['and puts no secret'],
      tracker: ['writes no secret', 'on '],
    },
    core: [...server('connections/sign-in/revoke'), ...server('syncs/sync', 'writes no secret and no customer text')],
  },
  {
    number: 24,
    text: 'ten planted faults, of which the suite catches at least eight',
    suite: { source: [], push: [], tracker: [] },
    tests: (id) => [`connectors/planted-faults: the suite catches every fault that is planted in ${id}`],
    core: [],
  },
  {
    number: 25,
    text: 'an item that always fails, an unexpected null in any field: set aside and tried again, the others are read',
    suite: { source: ['and sets aside an item', 'and sets nothing aside while'] },
    core: server('syncs/unread'),
  },
]
