import { parseReply } from '../../parse-reply.ts'
import { Verdicts } from './schema.ts'

/**
 * The verdict on each case, in the order of `ids`; null when the reply is not believed: when it is malformed, leaves a case
 * out, has one twice or one that was not asked about, or says yes to a decoy.
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
