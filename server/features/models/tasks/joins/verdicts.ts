import { parseReply } from '../../parse-reply.ts'
import type { CasesMessage } from './question.ts'
import { Verdicts } from './schema.ts'

/**
 * For each case, whether each of its candidates says the same; null when the reply is not believed: when it is malformed, leaves a question
 * out, has one twice or one that was not asked, names something that is not a candidate, or says yes about a decoy.
 */
export function readVerdicts(
  text: string,
  { asked, decoys }: Pick<CasesMessage, 'asked' | 'decoys'>,
): boolean[][] | null {
  const reply = parseReply(text, Verdicts)
  if (!reply) return null
  const found = new Map(reply.answers.map(({ of, same }) => [of, new Set(same)]))
  const all = [...asked.map(({ of }) => of), ...decoys]
  if (reply.answers.length !== all.length || all.some((id) => !found.has(id))) return null
  if (decoys.some((id) => found.get(id)?.size !== 0)) return null
  const isAsked = ({ of, candidates }: (typeof asked)[0]) =>
    [...(found.get(of) ?? [])].every((id) => candidates.includes(id))
  if (!asked.every(isAsked)) return null
  return asked.map(({ of, candidates }) => candidates.map((id) => found.get(of)?.has(id) === true))
}
