import type { NamedCall, Provider, SourceOptions } from '../provider.ts'
import type { IntercomFault } from './faults.ts'
import type { Notifications } from './notifications.ts'
import type { ConversationPost, MessagePost, Workspace } from './workspace.ts'

export type IntercomOptions = SourceOptions & {
  accessToken?: string
  /** Requests in ten seconds; Intercom's documented limit by default. */
  limit?: number | null
  /** As `/me` returns it. */
  region?: string
  /** Whether `>` includes the value itself. */
  inclusive?: boolean
}

/** Its query is not logged: Intercom has none. */
export type LoggedCall = Omit<NamedCall, 'query'> & { version: string | null }

export type IntercomSandbox = Provider & {
  workspaceId: string
  clientId: string
  clientSecret: string
  accessToken: string
  workspace: Workspace
  notifications: Pick<Notifications, 'subscribe' | 'suspend' | 'ping' | 'replay' | 'settled'>
  /** Starts a conversation as a customer does; its notification is sent automatically. Returns its id. */
  open(post: ConversationPost): string
  /** Adds a part, and returns its id. */
  reply(conversation: string, post: MessagePost): string
  redact(conversation: string, part: string | null, left?: string | null): void
  remove(conversation: string): void
  calls(): readonly LoggedCall[]
  /** Whether `calls` keeps answers; off by default. */
  keepBodies(keep: boolean): void
  /** Takes a permission away from the app, or gives it back. */
  withdraw(permission: string): void
  allow(permission: string): void
  /** Makes the next calls fail, of any call for items or of this one. */
  fault(kind: IntercomFault, times?: number, name?: string): void
  eventFault: Notifications['fail']
  limit(limit: number | null): void
}
