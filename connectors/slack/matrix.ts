import { type MatrixRow, notApplicable } from '../kit/matrix-row.ts'

export const matrix: MatrixRow = {
  1: ['sign-in: signing in', 'sign-in: a pasted token', 'client: an HTTP 200 with an error > names the missing scope'],
  2: notApplicable('Slack has one host, and nothing is asked for before signing in'),
  3: ['sign-in: a token that rotates', 'sign-in: signing in > keeps the refresh token'],
  4: ['pull: reads the demo company exactly', 'pull: channels > are the chosen ones', 'item: an item'],
  5: ['gaps: replies that are counted but do not come', 'pull: channels > that cannot be read are reported'],
  6: [
    'pull: a later round > yields new replies to old parents',
    'pull: the number of requests > is one per page where Slack gives 15 messages',
    'gaps: misleading pages > start a thread again',
  ],
  7: [
    'pull: a later round > finds edits, and deleted messages',
    'deletions: without events',
    'deletions: messages that Slack does not show',
    'handle-event: an event > of an edit',
    'handle-event: an event > of a deletion',
  ],
  8: [
    'author-role: who writes',
    'handle-event: an event > of a direct message changes nothing',
    'pull: channels > of direct messages are not read',
  ],
  9: [
    'message-text: the words of a message',
    'message-text: rich text',
    'message-text: converts 100 kB',
    'text: plainText',
  ],
  10: [
    'cursor: a cursor',
    'gaps: misleading pages > resume from the oldest message when Slack no longer accepts its cursor',
    'gaps: misleading pages > end with a report',
    'pull: a later round > finishes an interrupted round',
    'deletions: messages that Slack does not show > of the same moment as the edge of a page',
  ],
  11: ['client: how long to wait', 'pull: completes at one request a minute'],
  12: ['malformed-replies: whatever Slack returns', 'client: a malformed reply', 'client: reports HTTP'],
  13: [
    'receive: a request of Slack',
    'receive: a request that is refused',
    'handle-event: a request > that is forged or expired',
    'handle-event: a request > that is repeated or replayed',
    'handle-event: a request > that verifies the address',
  ],
  14: ['handle-event: a request > that is lost is made up for by the next round'],
  22: [
    '../sandbox/slack/description: Slack’s official description',
    '../sandbox/slack/description: describes revoking',
  ],
  23: [
    'malformed-replies: whatever Slack returns',
    'receive: a request that is refused > with a message without secret',
    'revoke: ends the sign-in at Slack',
  ],
}
