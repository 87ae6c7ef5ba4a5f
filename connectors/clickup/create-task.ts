import type { Context } from '../connector.ts'
import { documentMarkdown } from '../kit/documents/document-markdown.ts'
import { documentTitle, type InsightDocument } from '../kit/documents/insight-document.ts'
import { call, path } from './client.ts'
import { fieldValues } from './custom-fields.ts'
import { placeOf, settingsOf, tagsOf } from './manifest.ts'
import { NoAccess } from './refusal.ts'
import { Task } from './schema.ts'
import { markerTag, verifyWorkspace } from './task.ts'

/**
 * Creates the task with its marker's tag in one request, so that there is never a task without it. ClickUp does not enforce required
 * custom fields unless it is asked to.
 */
export async function createTask(context: Context, document: InsightDocument): Promise<Task> {
  const { status, priority, assignee } = settingsOf(context)
  const custom_fields = fieldValues(context)
  const json = {
    name: documentTitle(document),
    markdown_content: documentMarkdown(document),
    tags: [markerTag(document.marker), ...tagsOf(context)],
    notify_all: false,
    ...(status?.[0] ? { status: status[0] } : {}),
    ...(priority?.[0] ? { priority: Number(priority[0]) } : {}),
    ...(assignee?.[0] ? { assignees: [Number(assignee[0])] } : {}),
    ...(custom_fields.length > 0 ? { custom_fields } : {}),
  }
  try {
    return await call(context, {
      method: 'POST',
      name: 'list/task',
      path: path`/list/${placeOf(context).list}/task`,
      json,
      schema: Task,
      subject: 'list',
    })
  } catch (error) {
    if (error instanceof NoAccess) await verifyWorkspace(context, error)
    throw error
  }
}
