import { randomInt, randomUUID } from 'node:crypto'
import { writeData } from '../../prompt.ts'

/** What is shown of a case. */
export type Shown = { message: string; title: string; examples: readonly string[] }

/** A message about several cases, and the ids of the cases and the decoys in it. */
export type CasesMessage = { message: string; ids: string[]; decoys: string[] }

const CASES_PER_DECOY = 5
/**
 * Messages that belong to no insight about a product. A reply that says yes to one of them is not believed at all: the model
 * says yes to everything, or obeys one of the messages.
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

/** Puts cases into one message, with decoys, under random ids and in random order, so that no message can refer to another. */
export function writeQuestion(cases: readonly Shown[]): CasesMessage {
  const random = new Set<string>()
  const decoyCount = Math.ceil(cases.length / CASES_PER_DECOY)
  while (random.size < cases.length + decoyCount) random.add(randomUUID().slice(0, 6))
  const ids = [...random].slice(0, cases.length)
  const decoys = [...random].slice(cases.length)
  const start = randomInt(DECOYS.length)
  const entries = [
    ...cases.map((one, at) => entry(ids[at] as string, one.message, one)),
    ...decoys.map((id, at) =>
      entry(id, DECOYS[(start + at) % DECOYS.length] as string, cases[randomInt(cases.length)] as Shown),
    ),
  ]
  entries.sort((a, b) => a.id.localeCompare(b.id))
  return { message: writeData({ cases: entries }, randomUUID()), ids, decoys }
}

function entry(id: string, message: string, { title, examples }: Shown) {
  return { id, message, insight: { title, messages: [...examples] } }
}
