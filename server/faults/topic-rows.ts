import { between, pick, type Random, shuffled } from './random.ts'

/** One line of an import. Each text differs from all others, so that it identifies its row. */
export type TopicRow = { id: string; text: string; author: string; date: string }

const SYLLABLES = [
  'ba',
  'ror',
  'vel',
  'tin',
  'quo',
  'mar',
  'sle',
  'dup',
  'fin',
  'gax',
  'hol',
  'jem',
  'kro',
  'nub',
  'pli',
]
const SAYINGS = [
  'The A B fails with an error when I save it',
  'Our A B is broken since the update, an error on every save',
  'I cannot save the A B, it fails each time',
  'Saving the A B fails, please fix the error',
  'A B error again when saving, this blocks us',
  'Please look at the A B: saving it fails',
  'Every save of our A B ends in an error',
]
const CHATTER = [
  'Thanks a lot, have a nice weekend',
  'Good morning everybody',
  'Sounds good to me',
  'See you at the call on Monday',
  'Great, that works for us now',
]
const TOPICS = 20
const CHATTERS = 800
const START = Date.UTC(2026, 0, 5)

/**
 * The rows of one file: issues that no other file has (their words are made up), each reported by several people, among
 * small talk. `name` makes ids and texts unique to the file. `share`: of the usual size, about 1,700 rows.
 */
export function topicRows(random: Random, name: string, share = 1): TopicRow[] {
  const texts: string[] = []
  for (let topic = 0; topic < TOPICS * share; topic += 1) {
    const [one, other] = [word(random), word(random)]
    for (let count = between(random, 3, 90); count > 0; count -= 1) {
      texts.push(pick(random, SAYINGS).replace('A', one).replace('B', other))
    }
  }
  for (let count = 0; count < CHATTERS * share; count += 1) texts.push(`${pick(random, CHATTER)}, ${word(random)}`)
  return shuffled(random, texts).map((text, index) => ({
    id: `${name}-${index}`,
    text: `${text} (${name}-${index})`,
    author: `Customer ${between(random, 1, 40)}`,
    date: new Date(START + index * 60_000).toISOString(),
  }))
}

/** The rows as the text of a JSONL file. */
export function asFile(rows: readonly object[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('')
}

function word(random: Random): string {
  return Array.from({ length: 4 }, () => pick(random, SYLLABLES)).join('')
}
