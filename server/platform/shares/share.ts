import { createHash } from 'node:crypto'

/** Who uses what others want too: a person in a workspace; without a person, the background work of the workspace. */
export type Holder = { workspaceId: string; accountId?: string | undefined }

/** A holder as it is stored: digests, which no foreign key and no erasure needs to know. */
export type HolderKeys = { workspace: string; person: string }

/** How much of a limit is in use: by the holder, by their workspace with them, and by everyone. */
export type Held = { own: number; workspace: number; all: number }

/**
 * Who waits for the same, although they have had less of it: another person of the workspace than the holder, another workspace than
 * theirs. Who has had more does not hold up those who have had less.
 */
export type Waiting = { colleague: boolean; otherWorkspace: boolean }

/**
 * Whether `amount` more would exceed the holder's share of `limit`. While another workspace waits, a workspace has at most half of what the
 * other workspaces have left; while a colleague waits, a person has at most half of what the colleagues have left of that. A workspace is
 * never refused its first, nor a person theirs while the workspace is within its share. A share that nobody waits for is available to everyone; the limit itself is checked by the caller.
 */
export function exceedsShare(limit: number, amount: number, held: Held, waiting: Waiting): boolean {
  const left = limit - (held.all - held.workspace)
  const ofWorkspace = waiting.otherWorkspace ? left / 2 : left
  if (waiting.otherWorkspace && held.workspace > 0 && held.workspace + amount > ofWorkspace) return true
  const ofPerson = (ofWorkspace - (held.workspace - held.own)) / 2
  return waiting.colleague && held.own > 0 && held.own + amount > ofPerson
}

/** The keys under which a holder is stored. */
export function keysOf({ workspaceId, accountId }: Holder): HolderKeys {
  return { workspace: digest(workspaceId), person: accountId === undefined ? '' : digest(accountId) }
}

function digest(id: string): string {
  return createHash('sha256').update(id).digest('base64url')
}
