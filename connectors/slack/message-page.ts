import type * as z from 'zod/mini'
import type { Context } from '../connector.ts'
import { withPageSize } from '../kit/page-size.ts'
import { read } from './client.ts'
import { MAX_COUNT } from './directory.ts'
import { type Message, Messages } from './schema.ts'

const SIZES = [MAX_COUNT, 200, 50, 15, 1]

/** `malformed`: where messages could not be parsed. `messages` are the others. */
export type MessagePage = Omit<z.infer<typeof Messages>, 'messages'> & { messages: Message[]; malformed: string[] }

/** One page of messages: Slack's maximum, or fewer where they are too long for one response. */
export async function messagePage(
  context: Context,
  method: string,
  values: Record<string, string | null>,
): Promise<MessagePage> {
  const page = await withPageSize(SIZES, (limit) => read(context, method, { ...values, limit }, Messages))
  const { items, malformed } = page.messages
  return { ...page, messages: items, malformed: malformed.map(({ at }) => at) }
}
