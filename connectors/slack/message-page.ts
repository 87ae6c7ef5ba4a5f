import type * as z from 'zod/mini'
import type { Context } from '../connector.ts'
import { AnswerTooLong, read } from './client.ts'
import { MAX_COUNT } from './directory.ts'
import { Messages } from './schema.ts'

export type MessagePage = z.infer<typeof Messages>

/** One page of messages: Slack's maximum, or fewer where they are too long for one response. */
export async function messagePage(
  context: Context,
  method: string,
  values: Record<string, string | null>,
): Promise<MessagePage> {
  for (const limit of [MAX_COUNT, 200, 50, 15]) {
    try {
      return await read(context, method, { ...values, limit }, Messages)
    } catch (error) {
      if (!(error instanceof AnswerTooLong)) throw error
    }
  }
  return await read(context, method, { ...values, limit: 1 }, Messages)
}
