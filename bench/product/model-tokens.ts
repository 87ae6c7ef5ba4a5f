// Counts the tokens that a language model takes for each 1,000 messages, where its replies are what one read in our companies' messages, and writes
// docs/benchmarks/model-tokens.md. No model is asked.
//   node bench/product/model-tokens.ts
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { loadTokenCounts } from '@groundswell/server/features/models/index.ts'
import { type DataSet, dataSets, isPresent, setAsRead } from '../engine/data-sets.ts'
import { encoderFor } from '../engine/reading-runs.ts'
import { stream } from '../engine/stream.ts'

const PAGE = path.resolve(import.meta.dirname, '..', '..', 'docs', 'benchmarks', 'model-tokens.md')
const SEED = 1

/** By column; tokens are those for 1,000 messages. */
type Counts = Record<string, number>

async function main(): Promise<void> {
  const lines: string[] = []
  let columns: string[] = []
  for (const set of dataSets('')) {
    const read = isPresent(set) ? setAsRead(set) : null
    if (!read) continue
    const counts = await countsOf(read)
    columns = Object.keys(counts)
    lines.push(`| ${set.name} | ${Object.values(counts).map(shown).join(' | ')} |`)
  }
  const text = page(
    [`| | ${columns.join(' | ')} |`, `|---|${columns.map(() => '---:|').join('')}`, ...lines].join('\n'),
  )
  process.stdout.write(text)
  writeFileSync(PAGE, text)
}

/** Reads all messages, and reviews the insights that are due after each batch of 250. No review changes anything. */
async function countsOf({ rowsOf }: DataSet): Promise<Counts> {
  const { TOKENS_PER_NAME, openReviewCount, tokensOfReading } = await loadTokenCounts()
  const rows = rowsOf(SEED)
  const items = rows.map(({ id = '', text, points = [] }, at) => ({ id, text, at, points }))
  const { instructions, messages, replies } = await tokensOfReading(items)
  const encoder = await encoderFor(rows)
  const dueReviews = await openReviewCount()
  const reviewed = new Map<number, number>()
  const reviews = { first: 0, later: 0, changing: 0 }
  stream(rows, SEED, {
    ...(encoder ? { encoder } : {}),
    afterBatch(state) {
      for (const { issue, mentions, tokens, messages: shownAt } of dueReviews(state, { items, encoder }, reviewed)) {
        reviews[reviewed.has(issue) ? 'later' : 'first'] += tokens
        if (!reviewed.has(issue) && new Set(shownAt.map((at) => rows[at]?.label)).size > 1) reviews.changing++
        reviewed.set(issue, mentions)
      }
    },
  })
  const perThousand = (tokens: number) => (tokens * 1_000) / rows.length
  const names = reviews.changing * TOKENS_PER_NAME
  return {
    messages: rows.length,
    'instructions of reading': perThousand(instructions),
    'messages sent': perThousand(messages),
    'replies about them': perThousand(replies),
    '**reading**': perThousand(instructions + messages + replies),
    'insights reviewed': reviewed.size,
    '**first reviews with names**': perThousand(reviews.first),
    'names after changes': perThousand(names),
    '**later reviews**': perThousand(reviews.later),
  }
}

/** Numbers from 1,000 on as multiples of 100: random ids and decoys are not always equally long. */
function shown(value: number): string {
  return Math.round(value < 1_000 ? value : Math.round(value / 100) * 100).toLocaleString('en-US')
}

function page(table: string): string {
  return `# Tokens that a language model takes

Written by \`npm run bench:tokens\`. Tokens for 1,000 messages, at four bytes a token; no model is asked. The targets are at most 55,000 for reading, 45,000
for the first reviews with names, and 20,000 for later reviews.

${table}

- Reading: the product's batches and instructions; the replies are the committed readings of the five sets (\`bench/engine/readings/\`), written as the product asks for
  them: a line for each point, with the numbers of its sentences. German messages have no translation in these, which would add to the replies. Of letters and of chat, texts and points alone
  take 50,000 and 39,000. A first approach (objects with the quoted text, instructions of 2,300 bytes, ids of five characters) took 72,000 to 111,000; a letter for each kind in place of its
  word would save 1,300 to 1,500 more.
- Reviews: the calls that the product would make about the insights of what was read (with the sentence encoder, batches of 250), five insights in a call, with names in the replies and one
  mention in ten called a stranger. An insight is reviewed first when it has four mentions, and later whenever it has grown by a quarter: then with what came since and six others, and the
  names of the insights beside it. No review changes anything here. A first approach (a call for each insight with its 40 newest mentions and three of each of six others, names in calls of their own,
  700 tokens each) took 90,000 to 146,000 and 43,000 to 76,000.
- Names after changes: what calls of their own take at most, 700 tokens for each insight whose first review shows messages of two labels. Where its description changes
  because some of them leave it, it is named once more.
- The sets are small: in a large workspace, later reviews are fewer, because an insight of 400 mentions is reviewed again after 100 more, as one of 4 is after one more, and
  a review shows at most 40 mentions.
`
}

await main()
