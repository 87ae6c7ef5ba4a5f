export type PersonType = 'customer' | 'user'
export type StoredPerson = { id: number; type: PersonType; first: string; last: string; email: string }
export type Named = { id: number; name: string }

/** Times are in epoch milliseconds. `state`: draft, hidden, published or review. */
export type StoredThread = {
  id: number
  type: string
  state: string
  html: string
  by: number
  created: number
  attachments: string[]
  /** Only in line items. */
  action: { type: string; associatedEntities: Record<string, number> } | null
}

/**
 * `modified` orders lists and is not part of any response. `userUpdated` is the time of the last change by a user, or where customers
 * wait, of the first message that was not answered: it stays when a customer writes twice in a row.
 */
export type StoredConversation = {
  id: number
  number: number
  mailbox: number
  customer: number
  subject: string
  type: string
  status: string
  state: string
  tags: string[]
  fields: { id: number; name: string; value: string; text?: string }[]
  created: number
  modified: number
  userUpdated: number
  waiting: boolean
  /** The conversation it was merged into. */
  mergedInto: number | null
  threads: StoredThread[]
}
