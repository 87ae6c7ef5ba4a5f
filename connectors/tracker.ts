import type { Context, HttpRequest } from './context.ts'
import type { InsightDocument } from './kit/documents/insight-document.ts'

/**
 * What a tracker's item is now. `gone`: deleted there, or moved out of reach. `name` is the provider's own word for its state, such as
 * "Won't do". `declined`: it was closed without being done, where the provider tells.
 */
export type RemoteStatus = { id: string; state: 'open' | 'closed' | 'gone'; name: string | null; declined?: boolean }

/**
 * An item that was created in a tracker. `id` is the provider's, unique within the connection; `label` is how people call it, such as
 * `ENG-12` or `#42`; `data` is the connector's own, for example the id of its rolling comment. `notice`: what this update left out although
 * it succeeded, as text for the delivery (`kit/comment-or-notice.ts`).
 */
export type RemoteItem = {
  id: string
  url: string | null
  label: string
  status: RemoteStatus['state']
  statusName: string | null
  declined?: boolean
  notice?: string | null
  /** The title that it shows now, where this request read or wrote it. */
  title?: string
  data: Record<string, unknown>
}

/**
 * What a remote item is to show. `document.marker` is the key of the item: one uuid, chosen by the core before the first attempt and the
 * same on every attempt. The connector stores it in the item (an id of our choice, a label, a hidden text), so that `find` finds it.
 * `reopen`: the insight was mentioned again after it was closed there, and the owner wants such items reopened. `titles`: those of the documents that
 * were sent for this item so far, whether or not it got them (`kit/documents/followed-title.ts`); absent: not known.
 */
export type TrackerRequest = { document: InsightDocument; reopen: boolean; titles?: readonly string[] }

/**
 * A destination that keeps one item for each insight. The core owns the sequence and the row of the remote item: it calls `create`
 * once, and after an unknown outcome `find` first. Failures are thrown as one of `kit/errors.ts`; `ItemGone` where the item is no
 * longer there.
 */
export type Tracker = {
  /** The item that carries this marker, also one that was just created; null when there is none. */
  find(context: Context, marker: string): Promise<RemoteItem | null>
  /** For how long a created item may not be found yet, in seconds: until then a null of `find` is not trusted. 0: never. */
  findLagSeconds: number
  create(context: Context, request: TrackerRequest): Promise<RemoteItem>
  /** Brings the item to the state of the document, by changing its text or one rolling comment: never one comment for each call. */
  update(context: Context, remote: RemoteItem, request: TrackerRequest): Promise<RemoteItem>
  /** The current states, at most `MAX_STATUS_IDS` at once; an id that is missing from the result stays as it was. */
  readStatus(context: Context, remotes: readonly RemoteItem[]): Promise<RemoteStatus[]>
  /** Verifies sign-in and permissions without leaving anything behind, and returns what was verified, as text for the tile. */
  verify(context: Context): Promise<string>
  /** For dry runs, which send no write. Absent: they show the requests alone. */
  dryRun?: TrackerDryRun
}

/** A request as it would be sent. Names of headers are in lower case; headers and address may contain secrets. */
export type DraftRequest = Pick<HttpRequest, 'method' | 'url'> & { headers: Record<string, string>; body: string }

/**
 * What an item will show, in the provider's own format; labels, people and values of fields as the request names them, which may be by
 * ids. Null and empty: not set by this request.
 */
export type ShownItem = {
  title: string | null
  text: string | null
  labels: readonly string[]
  assignee: string | null
  fields: readonly { name: string; value: string }[]
}

type TrackerDryRun = {
  /** What the item will show by a request that creates or changes it, read from that request; null for any other request. */
  shown(request: DraftRequest): ShownItem | null
  /** What the provider would answer, as JSON, so that the requests after this one are shown too; null ends the dry run. */
  replyTo?(request: DraftRequest): unknown
}

/** Items that `readStatus` gets at once. */
export const MAX_STATUS_IDS = 50
