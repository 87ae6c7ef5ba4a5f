import type { NamedCall, Provider, SourceOptions } from '../provider.ts'
import type { TeamsFault } from './faults.ts'
import type { Subscribers } from './subscribers.ts'
import type { Post, TenantData } from './tenant.ts'

export type TeamsOptions = SourceOptions & {
  /** Whether an administrator has consented before. */
  consented?: boolean
  /** Seconds until an access token ends. */
  lifetime?: number
  /** Messages in a response; Graph's 50 by default. */
  pageSize?: number
  /** Replies that come with a post; Graph's 1,000 by default. */
  expanded?: number
}

export type LoggedCall = NamedCall

export type TeamsSandbox = Provider & {
  tenantId: string
  domain: string
  clientId: string
  clientSecret: string
  tenant: TenantData
  subscribers: Subscribers
  /** Posts as a person does; its notification is sent automatically. Returns the id. */
  post(post: Post): string
  edit(id: string, text: string): void
  remove(id: string): void
  /** Takes a permission away from the app. */
  withdraw(permission: string): void
  /** Ends all access tokens, and no new one is issued. */
  revokeAll(): void
  refuseDelta(refused: boolean): void
  /** Delta tokens of this moment and before are no longer accepted. */
  expireDelta(): void
  calls(): readonly LoggedCall[]
  /** How many access tokens were issued. */
  issued(): number
  /** Makes the next calls fail, of any call for messages or of this one. */
  fault(kind: TeamsFault, times?: number, name?: string): void
  eventFault: Subscribers['fail']
}
