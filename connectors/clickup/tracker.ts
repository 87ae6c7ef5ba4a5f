import * as z from 'zod/mini'
import { commentOrNotice } from '../kit/comment-or-notice.ts'
import { documentMarkdown } from '../kit/documents/document-markdown.ts'
import { followedTitle } from '../kit/documents/followed-title.ts'
import { ItemGone } from '../kit/errors.ts'
import type { Tracker } from '../tracker.ts'
import { writeComment } from './comment.ts'
import { createTask } from './create-task.ts'
import { dryRun } from './dry-run.ts'
import { findTask } from './find-task.ts'
import { readStatus } from './read-status.ts'
import { reopenTask } from './reopen.ts'
import { changeTask, isClosed, remoteOf, statusOf } from './task.ts'
import { verify } from './verify.ts'

const GONE = 'The task no longer exists in ClickUp'
/** ClickUp does not document how soon its lists show a new task. */
const LIST_LAG_SECONDS = 60

const Data = z.object({ comment: z.string() })

/** Tasks that carry a tag of ours, by which they are found wherever they are in the workspace. */
export const tracker: Tracker = {
  dryRun,
  findLagSeconds: LIST_LAG_SECONDS,

  async find(context, marker) {
    const task = await findTask(context, marker)
    return task ? remoteOf(task, { marker }) : null
  },

  async create(context, { document }) {
    return remoteOf(await createTask(context, document), { marker: document.marker })
  },

  async update(context, remote, { document, reopen, titles }) {
    let task = await changeTask(context, remote.id, { markdown_content: documentMarkdown(document) })
    if (!task || statusOf(task).state === 'gone') throw new ItemGone(GONE)
    const title = followedTitle(task.name, { document, titles })
    if (title !== undefined) task = await changeTask(context, remote.id, { name: title })
    if (!task) throw new ItemGone(GONE)
    const data = { ...remote.data, marker: document.marker }
    if (!isClosed(task.status)) return remoteOf(task, data)
    const reopened = reopen ? await reopenTask(context, task) : null
    if (reopened) return remoteOf(reopened, data)
    const known = Data.safeParse(remote.data).data?.comment ?? null
    const { comment, notice } = await commentOrNotice(known, () => writeComment(context, remote.id, document, known))
    return { ...remoteOf(task, comment === null ? data : { ...data, comment }), notice }
  },

  readStatus,
  verify,
}
