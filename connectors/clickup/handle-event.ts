import * as z from 'zod/mini'
import type { Context, EventOutcome } from '../connector.ts'
import { readTask, statusOf } from './task.ts'

const Payload = z.object({ kind: z.literal('task'), id: z.string() })

/** Reads the task again, so that the order in which events arrive does not matter. */
export async function handleEvent(context: Context, payload: Record<string, unknown>): Promise<EventOutcome> {
  const { id } = Payload.safeParse(payload).data ?? {}
  if (id === undefined) return { items: [], deleted: [], ended: null }
  const task = await readTask(context, id)
  const status = task ? statusOf(task) : { id, state: 'gone' as const, name: null }
  return { items: [], deleted: [], statuses: [status], ended: null }
}
