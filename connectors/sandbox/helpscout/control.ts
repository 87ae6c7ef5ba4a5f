import type { NamedCall, Provider, SourceOptions } from '../provider.ts'
import type { Account, ConversationPost, ThreadPost } from './account.ts'
import type { HelpScoutFault } from './faults.ts'
import type { SignIns } from './sign-in.ts'
import type { Webhooks } from './webhooks.ts'

export type HelpScoutOptions = SourceOptions & {
  /** Where the app sends people back; a request cannot name another address. */
  redirectUrl?: string
  email?: string
  /** Requests per minute; null: no limit. 400 by default. */
  limit?: number | null
  /** Seconds until an access token ends: two days by default. */
  lifetime?: number
}

export type LoggedCall = NamedCall

export type HelpScoutSandbox = Provider & {
  clientId: string
  clientSecret: string
  email: string
  account: Account
  webhooks: Pick<Webhooks, 'all' | 'disable' | 'replay' | 'settled'>
  signIns: Pick<SignIns, 'revokeAll' | 'expireAll'>
  /** Creates a conversation as a customer does; its event is sent automatically. Returns its id. */
  open(conversation: ConversationPost): number
  /** Returns the id of the thread. */
  write(conversation: number, post: ThreadPost): number
  remove(conversation: number): void
  restore(conversation: number): void
  move(conversation: number, inbox: string): void
  merge(from: number, into: number): void
  setRedirectUrl(url: string): void
  /** Called after each response with conversations, so that they can change between two pages. */
  afterList(change: (() => void) | null): void
  calls(): readonly LoggedCall[]
  /** Whether `calls` keeps bodies; off by default. */
  keepBodies(keep: boolean): void
  /** Makes the next calls fail, of any call for items or of this one. */
  fault(kind: HelpScoutFault, times?: number, name?: string): void
  eventFault: Webhooks['fail']
  limit(limit: number | null): void
}
