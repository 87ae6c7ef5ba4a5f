import { type MatrixRow, notApplicable } from '../kit/matrix-row.ts'

export const matrix: MatrixRow = {
  1: [
    'sign-in: admin consent',
    'sign-in: pasted credentials',
    'sign-in: the permissions',
    'pull: refusals > name the permission',
  ],
  2: [
    'sign-in: the tenant',
    'sign-in: admin consent > that is given in another tenant',
    'gaps: links to next pages > are never followed',
  ],
  3: ['sign-in: the token'],
  4: ['pull: the first sync', 'item: keeps names of attached files'],
  5: notApplicable('Microsoft gives no counts to compare with'),
  6: [
    'pull: the first sync > reads all pages of a long thread',
    'pull: later syncs > find a reply to a post of the last weeks',
    'unread: a scan for late replies',
    'thread: replies of which not all came with their post',
  ],
  7: [
    'pull: later syncs > find edits',
    'pull: later syncs > remove what was deleted',
    'gaps: a delta > may contain the rest of a post that was removed',
    'subscriptions: an event > brings posts, replies, edits with versions and deletions',
  ],
  8: [
    'item: who writes',
    'pull: the first sync > skips notices',
    'receive: a notification > about something else, chats',
  ],
  9: ['message-text: the text of a message'],
  10: [
    'pull: an invalid cursor starts from the beginning',
    'pull: later syncs > read everything again when the delta is stale',
    'gaps: a delta',
    'unread: a thread that was read completely',
    'thread: replies of which not all came with their post > are read to their end',
  ],
  11: [],
  12: ['gaps: links to next pages', 'gaps: a message', 'sign-in: the token > that a busy Entra does not issue'],
  13: [
    'receive: the validation of an address',
    'receive: a notification',
    'subscriptions: an event > that is late or out of order',
    'subscriptions: an event > that is sent twice has one id, and a forged one is refused',
  ],
  14: ['subscriptions: subscriptions', 'subscriptions: an event > that is lost is found by the next sync'],
  22: ['../sandbox/teams/description: Microsoft’s official description'],
  23: [
    'sign-in: pasted credentials > with another secret are refused with the reason, without the secret',
    'gaps: a message > with an id that is a path is refused, without its text',
  ],
}
