import type { CompanyMessage } from '../company/company.ts'
import type { TeamsFault } from './faults.ts'
import type { Subscribers } from './subscribers.ts'
import type { Post, TenantData } from './tenant.ts'

export type TeamsOptions = {
  /** Its messages are posts of the channels; the demo company's by default. */
  company?: readonly CompanyMessage[]
  /** 0: any free one. */
  port?: number
  host?: string
  clientId?: string
  clientSecret?: string
  /** Whether an administrator has consented before. */
  consented?: boolean
  /** Seconds until an access token ends. */
  lifetime?: number
  /** Messages in a response; Graph's 50 by default. */
  pageSize?: number
  /** Replies that come with a post; Graph's 1,000 by default. */
  expanded?: number
  now?: () => Date
}

/** A call of Graph as it arrived, without credentials. `answer` is the body that was sent, if it was a correct one. */
export type LoggedCall = {
  name: string
  method: string
  template: string
  query: Record<string, string>
  json: unknown
  status: number
  answer: unknown
}

export type TeamsSandbox = {
  url: string
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
  /** Moves the clock forward. */
  advance(seconds: number): void
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
  stop(): Promise<void>
}
