export type Role = 'admin' | 'agent' | 'end-user'
/** A call: the numbers are made up. `answeredBy`: the id of an agent; null for a voicemail. */
export type CallPost = { answeredBy: number | null; transcription?: string; location: string }
/** A message in the app of the conversation. `role` is Zendesk's. */
export type ChatPost = { author: string; role: 'end-user' | 'agent' | 'system'; text: string; at: number }
/** `shared`: an agent of another account. `changed` is in epoch milliseconds. */
export type StoredUser = {
  id: number
  name: string
  email: string
  role: Role
  organization: number | null
  shared?: boolean
  changed?: number
}
export type StoredChat = { id: number; at: number; messages: readonly ChatPost[] }
export type StoredComment = {
  id: number
  author: number
  public: boolean
  html: string
  plain: string
  created: number
  attachments: string[]
  channel: string
  call: CallPost | null
}
/** Times are in epoch milliseconds, except for `generated`: seconds, as in the export. */
export type StoredTicket = {
  id: number
  subject: string
  requester: number
  assignee: number | null
  copied: number[]
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
  chats: StoredChat[]
  messaging: boolean
}
