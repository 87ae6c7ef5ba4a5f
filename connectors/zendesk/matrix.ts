import type { MatrixRow } from '../kit/matrix-row.ts'

export const matrix: MatrixRow = {
  1: ['sign-in: an API token', 'sign-in: OAuth'],
  2: ['sign-in: a subdomain', 'sign-in: OAuth > asks for the subdomain first'],
  3: ['sign-in: a refresh'],
  4: ['pull: the first round', 'item: a comment', 'choices: attributes'],
  5: ['gaps: what is missing'],
  6: [
    'pull: a later round > yields a reply on an old ticket',
    'pull: the first round > reads every page of a ticket’s comments',
  ],
  7: [
    'pull: a later round > replaces what was redacted',
    'pull: a later round > no longer lists a comment that was made private',
    'pull: a later round > removes a deleted ticket as a whole',
    'handle-event: an event > of a redaction',
    'handle-event: an event > of a comment that was made private',
    'handle-event: an event > of a deletion',
  ],
  8: [
    'item: a comment > of the author',
    'conversation/former-agents: what an agent wrote',
    'conversation/messaging: the transcript of a conversation',
    'conversation/messaging: a conversation that is only in the audits',
    'pull: the first round > never reads a private comment',
    'handle-event: an event > of a private note',
  ],
  9: [
    'item: the text of a comment',
    'conversation/transcript: a transcript',
    'conversation/voice: the record of a call',
  ],
  10: ['pull: the cursor'],
  11: ['gaps: Zendesk’s limits'],
  12: ['gaps: responses that are not as documented', 'handle-event: an event > during an outage'],
  13: [
    'receive: a request of Zendesk',
    'handle-event: an event > that is late cannot undo a newer one',
    'handle-event: an event > that is forged or late is refused',
    'handle-event: an event > that is sent twice',
  ],
  14: [
    'handle-event: the webhook',
    'handle-event: an event > that is sent twice has one id, and one that is lost is found',
  ],
  22: [
    '../sandbox/zendesk/description: Zendesk’s official description',
    'pull: needs about one request for each ticket',
  ],
  23: [
    'sign-in: an API token > that is wrong is refused, without showing it',
    'gaps: responses that are not as documented > are reported without what they contain',
    'sign-in: a disconnect',
    'handle-event: the webhook > is removed after a disconnect',
  ],
}
