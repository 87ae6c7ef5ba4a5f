export type Role = 'admin' | 'agent' | 'end-user'
export type StoredUser = { id: number; name: string; email: string; role: Role; organization: number | null }
export type StoredComment = {
  id: number
  author: number
  public: boolean
  html: string
  plain: string
  created: number
  attachments: string[]
}
/** Times are in epoch milliseconds, except for `generated`: seconds, as in the export. */
export type StoredTicket = {
  id: number
  subject: string
  requester: number
  organization: number | null
  group: number
  brand: number
  tags: string[]
  status: string
  channel: string
  fields: { id: number; value: string }[]
  created: number
  updated: number
  generated: number
  comments: StoredComment[]
}
