import type * as z from 'zod/mini'
import { commentOrNotice } from '../kit/comment-or-notice.ts'
import { followedTitle } from '../kit/documents/followed-title.ts'
import { documentTitle } from '../kit/documents/insight-document.ts'
import { Rejected } from '../kit/errors.ts'
import type { RemoteItem, RemoteStatus, Tracker } from '../tracker.ts'
import { call } from './client.ts'
import { Comment, Item, Items, Project } from './schema.ts'
import { commentText, itemText } from './text.ts'

/** The tracker's search may not show an item during its first minute. */
const SEARCH_LAG_SECONDS = 60
/** The tracker's reason of an item that was closed without being done. */
const DECLINED = 'Declined'

export const tracker: Tracker = {
  findLagSeconds: SEARCH_LAG_SECONDS,

  async find(context, marker) {
    const { items } = await call(context, {
      method: 'GET',
      name: 'items.list',
      path: '/items',
      query: { key: marker },
      schema: Items,
    })
    const [item] = items
    return item ? remoteOf(item) : null
  },

  async create(context, { document }) {
    const json = { title: documentTitle(document), body: itemText(document), key: document.marker }
    return remoteOf(await call(context, { method: 'POST', name: 'items.create', path: '/items', json, schema: Item }))
  },

  async update(context, remote, { document, reopen, titles }) {
    const path = `/items/${encodeURIComponent(remote.id)}`
    const change = (json: Record<string, unknown>) =>
      call(context, { method: 'PATCH', name: 'items.update', path, json, schema: Item })
    let item = await change({ body: itemText(document), ...(reopen ? { state: 'open' } : {}) })
    const title = followedTitle(item.title, { document, titles })
    if (title !== undefined) item = await change({ title })
    const [comment] = item.comments
    const write = () =>
      call(context, {
        method: comment ? 'PATCH' : 'POST',
        name: 'comments.write',
        path: comment ? `${path}/comments/${encodeURIComponent(comment.id)}` : `${path}/comments`,
        json: { text: commentText(document) },
        schema: Comment,
      })
    const { notice } = await commentOrNotice(null, write)
    return { ...remoteOf(item), notice }
  },

  async readStatus(context, remotes) {
    const query = { ids: remotes.map(({ id }) => id).join(',') }
    const { items } = await call(context, { method: 'GET', name: 'items.list', path: '/items', query, schema: Items })
    const found = new Map(items.map((item) => [item.id, item]))
    return remotes.map(({ id }) => {
      const item = found.get(id)
      return item ? statusOf(item) : { id, state: 'gone' as const, name: null }
    })
  },

  async verify(context) {
    const project = await call(context, { method: 'GET', name: 'project.get', path: '/project', schema: Project })
    if (!project.may_write) throw new Rejected('The token may not write items')
    return `The token may write items in ${project.name}`
  },
}

function statusOf({ id, state, reason }: z.infer<typeof Item>): RemoteStatus {
  return { id, state, name: reason, ...(state === 'closed' && reason === DECLINED ? { declined: true } : {}) }
}

function remoteOf(item: z.infer<typeof Item>): RemoteItem {
  const { id, state, name, ...declined } = statusOf(item)
  return {
    id,
    url: item.url,
    label: `#${item.number}`,
    title: item.title,
    status: state,
    statusName: name,
    ...declined,
    data: {},
  }
}
