import { randomUUID } from 'node:crypto'
import type { Account, Folder, List, Space, Task, Team } from './account.ts'
import { invalid, notAllowed, notFound } from './refusals.ts'
import type { Fields, Route } from './route.ts'
import { commentView, type TaskShape, taskView } from './views.ts'

const PAGE = 100
const COMMENTS_PAGE = 25
type Place = { team: Team; space: Space; folder: Folder | null; list: List }
type Finders = { listOf: (id: string | undefined) => Place; teamOf: (id: string | undefined) => Team }

/** Tasks and their comments. */
export function taskRoutes(account: Account, { listOf, teamOf }: Finders): Route[] {
  const taskOf = (id: string | undefined): Task => {
    const task = account.tasks.find((one) => one.id === id)
    if (!task || task.deleted) throw notFound('Task')
    if (!task.visible) throw notAllowed()
    listOf(task.list.id)
    return task
  }
  const view = (task: Task, shape: TaskShape) => taskView(task, listOf(task.list.id), shape)
  const listed = (query: URLSearchParams, isIn: (task: Task) => boolean, shape: TaskShape) => {
    const tags = query.getAll('tags[]')
    const closed = query.get('include_closed') === 'true'
    const archived = query.get('archived') === 'true'
    const since = Number(query.get('date_created_gt') ?? 0)
    const matches = (task: Task) =>
      tags.length === 0 || tags[account.tagsMatch === 'any' ? 'some' : 'every']((tag) => task.tags.includes(tag))
    const found = account.tasks.filter(
      (task) =>
        isIn(task) &&
        task.listed &&
        task.visible &&
        !task.deleted &&
        task.archived === archived &&
        task.at > since &&
        (closed || task.status.type !== 'closed') &&
        (account.ignoresTags || matches(task)),
    )
    const newestFirst = found.toReversed().toSorted((a, b) => b.at - a.at)
    return { tasks: newestFirst.slice(0, PAGE).map((task) => view(task, shape)) }
  }
  const comments = () => account.tasks.flatMap((task) => task.comments)
  return [
    {
      method: 'GET',
      template: '/v2/list/{list_id}/task',
      answer: ({ ids, query }) => {
        const { list } = listOf(ids[0])
        return listed(query, (task) => task.list === list, 'list')
      },
    },
    {
      method: 'GET',
      template: '/v2/team/{team_Id}/task',
      answer: ({ ids, query }) => {
        const team = teamOf(ids[0])
        return listed(query, (task) => account.placeOf(task.list.id)?.team === team, 'workspace')
      },
    },
    {
      method: 'POST',
      template: '/v2/list/{list_id}/task',
      answer: ({ ids, body }) => {
        const { list, space, team } = listOf(ids[0])
        if (list.level !== 'create') throw notAllowed()
        const task = newTask(account, list, space.tags ? body : { ...body, tags: [] })
        if (task.assignees.some((id) => !team.members.some((one) => one.id === id))) throw invalid('Assignee not found')
        account.tasks.push(task)
        return view(task, 'list')
      },
    },
    { method: 'GET', template: '/v2/task/{task_id}', answer: ({ ids }) => view(taskOf(ids[0]), 'own') },
    {
      method: 'PUT',
      template: '/v2/task/{task_id}',
      answer: ({ ids, body }) => {
        const task = taskOf(ids[0])
        if (typeof body['name'] === 'string') task.name = body['name']
        if (typeof body['markdown_content'] === 'string') task.markdown = body['markdown_content']
        if (body['status'] !== undefined) task.status = statusIn(task.list, body['status'])
        if (typeof body['archived'] === 'boolean') task.archived = body['archived']
        return view(task, 'list')
      },
    },
    {
      method: 'GET',
      template: '/v2/task/{task_id}/comment',
      answer: ({ ids, query }) => {
        const newestFirst = taskOf(ids[0]).comments.toReversed()
        const last = query.has('start') ? newestFirst.findIndex(({ id }) => id === query.get('start_id')) : -1
        return { comments: newestFirst.slice(last + 1, last + 1 + COMMENTS_PAGE).map(commentView) }
      },
    },
    {
      method: 'POST',
      template: '/v2/task/{task_id}/comment',
      answer: ({ ids, body }) => {
        const task = taskOf(ids[0])
        if (typeof body['notify_all'] !== 'boolean') throw invalid('notify_all is required')
        const id = String(458 + comments().length)
        task.comments.push({ id, text: String(body['comment_text']) })
        return { id, hist_id: randomUUID(), date: Date.now() }
      },
    },
    {
      method: 'PUT',
      template: '/v2/comment/{comment_id}',
      answer: ({ ids, body }) => {
        const comment = comments().find(({ id }) => id === ids[0])
        if (!comment) throw notFound('Comment')
        comment.text = String(body['comment_text'])
        return {}
      },
    },
  ]
}

function statusIn({ statuses }: List, name: unknown) {
  const status = statuses.find((one) => one.status === name)
  if (!status) throw invalid('Status not found')
  return status
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

function newTask(account: Account, list: List, body: Fields): Task {
  const name = textOf(body['name'])
  if (name === '') throw invalid('Task name invalid')
  const customFields = (body['custom_fields'] ?? []) as Task['customFields']
  const unknown = customFields.some(({ id }) => !list.fields.some((field) => field.id === id))
  if (unknown) throw invalid('Custom field not found')
  return {
    id: `86t${(account.tasks.length + 46_656).toString(36)}`,
    customId: null,
    name,
    markdown: textOf(body['markdown_content']),
    tags: ((body['tags'] ?? []) as string[]).map((tag) => tag.toLowerCase()),
    status: body['status'] === undefined ? list.status('open') : statusIn(list, body['status']),
    list,
    priority: (body['priority'] ?? null) as number | null,
    assignees: (body['assignees'] ?? []) as number[],
    customFields,
    archived: false,
    comments: [],
    at: Date.now(),
    listed: !account.lagging,
    visible: true,
    deleted: false,
  }
}
