import type { NamedCall, Provider, SourceOptions } from '../provider.ts'
import type { Account, CommentPost, TicketPost } from './account.ts'
import type { ZendeskFault } from './faults.ts'
import type { Limits } from './limits.ts'
import type { Role } from './records.ts'
import type { SignIns } from './sign-in.ts'
import type { Webhooks } from './webhooks.ts'

export type ZendeskOptions = SourceOptions & {
  email?: string
  apiToken?: string
  /** Zendesk's documented limits by default. */
  limits?: Limits
  /** Seconds until an access token of OAuth ends. */
  lifetime?: number
}

export type LoggedCall = NamedCall

export type ZendeskSandbox = Provider & {
  subdomain: string
  clientId: string
  clientSecret: string
  email: string
  apiToken: string
  account: Account
  webhooks: Pick<Webhooks, 'all' | 'disable' | 'replay' | 'settled'>
  signIns: Pick<SignIns, 'narrow' | 'revokeAll'>
  /** Creates a ticket as a customer does; its event is sent automatically. Returns its id. */
  open(ticket: TicketPost): number
  comment(ticket: number, post: CommentPost): number
  redact(ticket: number, comment: number, words: string): void
  makePrivate(ticket: number, comment: number): void
  remove(ticket: number): void
  restore(ticket: number): void
  /** The role of the person who signs in. */
  setRole(role: Role): void
  calls(): readonly LoggedCall[]
  /** Whether `calls` keeps bodies; off by default. */
  keepBodies(keep: boolean): void
  /** Makes the next calls fail, of any call for items or of this one. */
  fault(kind: ZendeskFault, times?: number, name?: string): void
  eventFault: Webhooks['fail']
  limit(limits: Limits): void
}
