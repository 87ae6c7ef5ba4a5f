import { stopping } from '../kit/testing.ts'
import { subscribed as subscribedTo } from '../kit/worlds/events.ts'
import { trackerWorld } from '../kit/worlds/tracker.ts'
import { type ClickUpSandbox, startClickUp } from '../sandbox/clickup/clickup.ts'
import { receive } from './receive.ts'
import { subscriptions } from './subscriptions.ts'
import { isClosed } from './task.ts'
import { tracker as tasks } from './tracker.ts'

/** A sandbox that stops automatically at the end of a test. */
export const openClickUp = async () => stopping(await startClickUp())

const world = trackerWorld(tasks, {
  // The first list is chosen.
  settings: ({ account }: ClickUpSandbox) => ({
    name: 'Fernweh',
    workspace: [account.team(0).id],
    space: [account.space.id],
    folder: [],
    list: [account.list.id],
  }),
  secrets: ({ signIns }: ClickUpSandbox) => ({ token: signIns.apiToken }),
})
export const { contextFor } = world

export const tracker = world.sample(startClickUp, (sandbox) => ({
  items: () =>
    sandbox.account.tasks
      .filter(({ deleted, visible }) => visible && !deleted)
      .map(({ id, status, name, markdown, tags, comments }) => ({
        id,
        open: !isClosed(status),
        text: [name, markdown, ...tags].join('\n'),
        comments: comments.map(({ text }) => text),
      })),
  lagSearch: (on) => sandbox.account.lag(on),
  retitle: (id, title) => {
    const task = sandbox.account.tasks.find((one) => one.id === id)
    if (task) task.name = title
  },
  close: (id) => sandbox.setStatus(id, 'closed'),
  decline: (id) => sandbox.decline(id),
  reopen: (id) => sandbox.setStatus(id, 'custom'),
  delete: (id) => sandbox.remove(id),
  move: (id) => sandbox.move(id),
}))

/** A sandbox with a context, and an insight to push to it. */
export async function opened(settings: Record<string, unknown> = {}) {
  const clickup = await openClickUp()
  return world.insightIn(clickup, contextFor(clickup, { settings }))
}

/** A sandbox with a subscribed address, at which requests are received as the core does. */
export const subscribed = async () => subscribedTo(await opened(), { subscriptions, secret: 'unused', receive })

/** The requests that were sent, each as its method and path in the description. */
export const requests = (calls: ClickUpSandbox['calls']) => calls.map(({ method, template }) => `${method} ${template}`)
