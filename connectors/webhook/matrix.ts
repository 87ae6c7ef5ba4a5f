import { type MatrixRow, notApplicable } from '../kit/matrix-row.ts'

export const matrix: MatrixRow = {
  1: [
    'manifest: the form',
    'push: a delivery > has the client token as a bearer',
    'push: is not sent with incomplete secrets',
  ],
  2: ['manifest: the form > refuses', '../kit/http/guard: ', '../kit/http/address-check: '],
  3: notApplicable('a client token does not end'),
  11: ['push: a response that is not 2xx > 429'],
  12: ['push: a response that is not 2xx'],
  13: notApplicable('a webhook sends us nothing'),
  14: notApplicable('a webhook sends us nothing'),
  15: ['push: a delivery > has the same id and a new time on the next attempt'],
  21: ['push: a response that is not 2xx > 429', 'push: is retried for three days'],
  22: ['../kit/webhooks/standard-webhooks: signatureHeaders', 'push: a delivery > verifies with the reference library'],
  23: ['push: a delivery > has the client token as a bearer, and not in the ledger'],
}
