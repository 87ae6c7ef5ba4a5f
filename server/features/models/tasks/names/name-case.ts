import type { Described } from '../../../insights/index.ts'
import type { Refusal } from './check-reply.ts'
import type { Evidence } from './evidence.ts'

/** What the model is asked about one insight, and by what its answer is judged. `taken`: keys of the other insights' names. */
export type Subject = { described: Described; evidence: Evidence; taken: ReadonlySet<string> }

/** An insight to name. `refused`: the model's first answer about it was refused, and it is asked once more. */
export type NameCase = { issueNumber: number; refused?: { subject: Subject; refusal: Refusal; tokens: number } }
