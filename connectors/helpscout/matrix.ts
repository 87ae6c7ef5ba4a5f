import { type MatrixRow, notApplicable } from '../kit/matrix-row.ts'

export const matrix: MatrixRow = {
  1: [
    'sign-in: client credentials',
    'oauth: OAuth',
    'webhook: the webhook > that may not be created is explained',
    'gaps: what is missing > is a conversation that may not be read: it is named',
  ],
  2: notApplicable('Help Scout has one host, and nothing is asked for before signing in'),
  3: ['oauth: a refresh', 'sign-in: after 48 hours'],
  4: ['pull: the first round', 'item: a thread', 'conversations/conversation: the attributes of a conversation'],
  5: ['gaps: what is missing'],
  6: [
    'pull: a later round > yields a reply on an old conversation',
    'pull: the first round > reads every page of threads',
    'drift: threads that drift',
  ],
  7: [
    'pull: a later round > replaces what was edited',
    'pull: the first round > removes spam',
    'sweep: a conversation that was deleted without an event',
    'sweep: after a merge without an event',
    'handle-event: an event > of a deletion removes the conversation',
    'handle-event: an event > of a merge',
  ],
  8: [
    'item: a thread > of type',
    'item: a thread > in the state',
    'pull: the first round > never reads a note',
    'handle-event: an event > of a note',
  ],
  9: ['item: the text of a thread'],
  10: ['cursor: the cursor', 'drift: pages that drift', 'drift: the watermark'],
  11: ['limits: Help Scout’s limit'],
  12: [
    'gaps: responses that are not as documented',
    'drift: a list that is empty by mistake',
    'handle-event: an event that is not as it should be',
  ],
  13: [
    'receive: a request of Help Scout',
    'webhook: its events > that are forged are refused',
    'webhook: its events > that are sent twice',
    'handle-event: an event > that is late cannot undo a newer one',
  ],
  14: ['webhook: the webhook', 'webhook: its events'],
  22: [
    '../sandbox/helpscout/description: the description of Help Scout’s API',
    'cursor: needs about one request for each conversation',
  ],
  23: [
    'receive: a request of Help Scout > never shows its secret',
    'sign-in: client credentials > that are wrong are refused, without showing them',
    'sign-in: the tile > has no revocation',
    'webhook: the webhook > is removed after a disconnect',
  ],
}
