import { z } from 'zod'
import { parseReply } from '../parse-reply.ts'

/** The form of an answer. */
export const Verdicts = z.object({ cases: z.array(z.object({ id: z.string(), same: z.boolean() })) })

/**
 * What an answer says of each case, in their order; null when it cannot be believed: when it is not of the right form, leaves
 * a case out, has one twice or one that was not asked, or says yes to a decoy.
 */
export function readVerdicts(text: string, ids: readonly string[], decoys: readonly string[]): boolean[] | null {
  const reply = parseReply(text, Verdicts)
  if (!reply) return null
  const found = new Map(reply.cases.map(({ id, same }) => [id, same]))
  const all = [...ids, ...decoys]
  if (reply.cases.length !== all.length || all.some((id) => !found.has(id))) return null
  if (decoys.some((id) => found.get(id))) return null
  return ids.map((id) => found.get(id) === true)
}
