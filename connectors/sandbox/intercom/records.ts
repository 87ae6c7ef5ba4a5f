export type AuthorType = 'user' | 'lead' | 'contact' | 'admin' | 'bot' | 'team'
export type Person = { type: AuthorType; id: string; name: string; email: string }

/** Times are in epoch seconds, as in Intercom's API. */
export type StoredMessage = {
  html: string | null
  author: Person
  created: number
  attachments: string[]
  redacted: boolean
}
export type StoredPart = StoredMessage & { id: string; type: string; updated: number }

/** A conversation that is a ticket, with the fields of its form. */
export type StoredTicket = { category: string; attributes: Record<string, unknown> }

export type StoredConversation = {
  id: string
  subject: string
  title: string | null
  channel: string
  state: string
  team: number | null
  tags: { id: string; name: string }[]
  topics: string[]
  company: string | null
  attributes: Record<string, unknown>
  source: StoredMessage
  ticket: StoredTicket | null
  parts: StoredPart[]
  created: number
  updated: number
  /** What the search knows of `updated`; null: it does not know the conversation yet. */
  indexed: number | null
}
