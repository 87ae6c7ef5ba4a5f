import { type MatrixRow, notApplicable } from '../kit/matrix-row.ts'

export const matrix: MatrixRow = {
  1: [
    'sign-in: an access token',
    'oauth: OAuth',
    'limits: a refusal > for a missing permission names it and keeps the sign-in',
  ],
  2: [
    'sign-in: a region',
    'oauth: OAuth > asks for the region first',
    'sign-in: an access token > of a workspace in another region',
  ],
  3: notApplicable('Intercom’s tokens do not end'),
  4: ['pull: the first round', 'item: a conversation', 'attributes: the attributes'],
  5: ['gaps: what is missing', 'item: what is missing'],
  6: [
    'later-rounds: a later round > yields a reply on an old conversation',
    'pull: the first round > reads every part of a conversation',
    'gaps: what is missing > is said with numbers: parts beyond the newest 500',
  ],
  7: [
    'later-rounds: a later round > replaces what was redacted',
    'later-rounds: a later round > deletes a message that a redaction emptied',
    'later-rounds: a later round > removes a part',
    'later-rounds: a later round > removes a conversation',
    'handle-event: an event > after a redaction',
    'handle-event: an event > of a deletion removes the conversation',
  ],
  8: [
    'item: the role of an author',
    'item: a part > of type',
    'pull: the first round > never reads a note',
    'handle-event: an event > of a note',
  ],
  9: ['item: the text of a part'],
  10: [
    'cursor: a cursor',
    'later-rounds: the cursor',
    'pull: the search > loses nothing of a boundary second',
    'pull: the search > loses nothing where conversations change between two pages',
  ],
  11: ['limits: Intercom’s limits'],
  12: [
    'gaps: responses that are not as documented',
    'privacy: a failure',
    'later-rounds: a conversation that is not found',
  ],
  13: [
    'receive: a notification',
    'notifications: notifications',
    'handle-event: an event > that is late cannot undo a newer one',
  ],
  14: ['notifications: notifications > that are lost, or that Intercom has suspended'],
  22: [
    '../sandbox/intercom/description: Intercom’s official description',
    'pull: needs about one request for each conversation',
  ],
  23: ['privacy: a failure', 'privacy: a sync and its choices log nothing', 'oauth: a disconnect'],
}
