import { randomInt, randomUUID } from 'node:crypto'
import { readInstructions, writeData } from '../prompt.ts'
import type { Question } from '../provider.ts'
import { Verdicts } from './verdicts.ts'

/** The prompt in use. A changed text is a new file with the next number. */
export const JOINS_PROMPT = 'judge-joins-1'

/** What is shown of a case. */
export type Shown = { message: string; title: string; examples: readonly string[] }

/** A question, and the names that its cases and its decoys bear in it. */
export type Asked = { question: Question; ids: string[]; decoys: string[] }

/** For each so many cases one decoy. */
const CASES_A_DECOY = 5
/**
 * Messages that no insight about a product can be about. An answer that takes one for the same as an insight's is not
 * believed at all: the model says yes to everything, or does what some message wants.
 */
const DECOYS = [
  'Our office moved to the second floor last week.',
  'My sister plays the violin on Sundays.',
  'It rained all day when we went hiking.',
  'The bakery at the corner is closed in August.',
  'We watched an old film about lighthouses yesterday.',
  'His bicycle is red and has two bells.',
  'Tulips grow well in the shade behind our house.',
  'They served lentil soup at the wedding.',
]

/** Puts cases into one question: under names that no message can know, in no order that one could count on, with decoys. */
export async function writeQuestion(cases: readonly Shown[]): Promise<Asked> {
  const names = new Set<string>()
  const decoyCount = Math.ceil(cases.length / CASES_A_DECOY)
  while (names.size < cases.length + decoyCount) names.add(randomUUID().slice(0, 6))
  const ids = [...names].slice(0, cases.length)
  const decoys = [...names].slice(cases.length)
  const start = randomInt(DECOYS.length)
  const asked = [
    ...cases.map((one, at) => entry(ids[at] as string, one.message, one)),
    ...decoys.map((id, at) =>
      entry(id, DECOYS[(start + at) % DECOYS.length] as string, cases[randomInt(cases.length)] as Shown),
    ),
  ]
  asked.sort((a, b) => a.id.localeCompare(b.id))
  const message = writeData({ cases: asked }, randomUUID())
  return { question: { instructions: await readInstructions(JOINS_PROMPT), message, schema: Verdicts }, ids, decoys }
}

function entry(id: string, message: string, { title, examples }: Shown) {
  return { id, message, insight: { title, messages: [...examples] } }
}
