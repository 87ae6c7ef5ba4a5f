/** The values of one metric, one per seed; null if not applicable. */
export type Cell = number[] | null
export type Line = { data: string; method: string; cells: Record<string, Cell> }
export type Report = { heading: string; seeds: number; skipped: string[]; lines: Line[] }

/** Headings of what people see, in order. */
export const SHOWN_COLUMNS: Record<string, string> = {
  majority: 'precision of grouped',
  groupedPrecision: 'B³ P of grouped',
  pure: '⅔ one subject',
  subjects: 'subjects found',
  fragments: 'insights a subject',
  missed: 'missed',
  inScope: 'in scope grouped',
  regularInScope: 'regular alone',
  noise: 'noise grouped',
  regularNoise: 'regular alone',
  firstSuggestion: 'first suggestion right',
  fiveSuggestions: 'first five right',
  churn: 'churn a batch',
  insights: 'insights',
  emerging: 'emerging',
  shownF1: 'B³ F1 of all insights',
}

/** Headings of the figures that papers report, in order. */
export const COLUMNS: Record<string, string> = {
  precision: 'B³ P',
  recall: 'B³ R',
  f1: 'B³ F1',
  pairs: 'pair F1',
  acc: 'ACC',
  nmi: 'NMI',
  ari: 'ARI',
  coverage: 'in scope grouped',
  noiseGrouped: 'noise grouped',
  survival: 'ids survive',
  delay: 'delay',
  discovered: 'found',
  mrr: 'name MRR',
  distinct: 'names distinct',
  groups: 'groups',
  ratio: 'CPU, × k-means',
}

/** Mean ± standard deviation; a single value alone. */
export function spread(values: number[]): string {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  if (values.length === 1) return mean.toFixed(1)
  const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length)
  return `${mean.toFixed(1)} ± ${deviation.toFixed(1)}`
}

/** A Markdown table. Lines and columns without a figure are left out. */
export function table(lines: readonly Line[], columns: Record<string, string>): string {
  const keys = Object.keys(columns).filter((key) => lines.some(({ cells }) => cells[key]))
  return [
    `| data | method | ${keys.map((key) => columns[key]).join(' | ')} |`,
    `|---|---|${keys.map(() => '---:|').join('')}`,
    ...lines
      .filter(({ cells }) => keys.some((key) => cells[key]))
      .map(({ data, method, cells }) => {
        const shown = keys.map((key) => (cells[key] ? spread(cells[key]) : '–'))
        return `| ${data} | ${method} | ${shown.join(' | ')} |`
      }),
  ].join('\n')
}

/** Both tables. */
export function tables(lines: readonly Line[]): string {
  return `## What people see\n\n${table(lines, SHOWN_COLUMNS)}\n\n## Figures to compare with papers\n\n${table(lines, COLUMNS)}`
}

/** The whole page. */
export function page({ heading: where, seeds, skipped, lines }: Report): string {
  return `# How well the engine groups

Written by \`npm run bench:grouping\`. ${seeds} seeds, mean ± standard deviation; no API key, no download; the engine does not know the
number of groups.

${where}

## What people see

${table(lines, SHOWN_COLUMNS)}

${skipped.map((name) => `- ${name}: skipped, the file is missing.\n`).join('')}
After the last message. Insights are regular or emerging, and each may have suggestions: messages that may belong to it. Columns without any
figure are left out, such as those of suggestions while the engine makes none. A message counts in every insight that it is in. Its subject is its label;
noise has none.

- **Precision of grouped**: of all messages in insights, the share with the most frequent subject of their insight. **B³ P of grouped**: B³ precision over
  these messages only: the mean share of a message's insight that has its subject, where a noise message shares it with itself only. The first says how many
  mentions are right if the insight is read as what most of it is about; the second is usually lower, because the others rarely agree either. B³ P below
  counts ungrouped messages as 100% right.
- **⅔ one subject**: insights in which at least two thirds of the messages have one subject.
- **Subjects found**: of the subjects of two or more messages, those that an insight is about: two of its messages, and half of the insight. **Insights
  a subject**: how many insights are about one found subject.
- **Missed**: messages with a subject that are in no insight, regular or emerging, and are suggested for none.
- **First suggestion right**: of the insights with suggestions, those whose first one has the most frequent subject of the insight. **First five right**: the same share
  of all suggestions ranked one to five.
- **Churn a batch**: the share of grouped messages that changed or left their group in a batch.
- **B³ F1 of all insights**: as below, with emerging insights counted as groups.

**Read**: the points that a language model read in the messages are grouped in place of their words (\`bench/engine/readings\`; written once, without labels).
**Each batch with other synonyms**: as if every 30 messages had been read by somebody with other words (\`bench/engine/readings/synonyms.txt\`, which changes
two in three points). **A simulated review** knows the labels and is right in 90% of what it should say and wrong in 5% of what it should not: of each point, whether
it is about something else, and of the five nearest insights, whether they are the same problem. Points that leave become an insight of their own with others of
their subject; a single one leaves only if it is less alike than most, and two insights are merged only if the reviews of both say so. The engine
carries the replies out as in the product, in up to four rounds ([decisions/0094-review.md](../decisions/0094-review.md)).

## Figures to compare with papers

${table(lines, COLUMNS)}

The engine processes batches of 250 messages and runs a revision whenever it requests one: \`shuffled\` in random order, \`bursty\` with a fifth
of the subjects only in the second half, \`in its order\` as the messages were written. B³ and pair F1: over all messages, with ungrouped
messages and noise as singletons. A message is in the group of its first grouped statement. ACC (Hungarian), NMI (arithmetic) and ARI: over messages with
a subject, comparable to papers. Ids survive: the share of groups after each batch that still hold half of their members at the end. Delay: the
number of messages of a subject that had arrived when a group was first about it; found: subjects that ever had one, of all subjects. Name MRR: the rank of a
group's own member when searching for its name among up to five members of every group, without members that contain all words of the name. Names
distinct: 100 minus the mean cosine with the most similar other name. CPU: relative to k-means in the same run.

Peers: k-means on TF-IDF has all messages and the true number of subjects; the leader algorithm adds each message to the group whose first
message is nearest (cosine of 0.3 or more, its best on CLINC150). Both were written for this comparison (\`bench/engine/peers.ts\`).
Lines around: most messages are placed between one to three filler sentences, as in letters (\`bench/engine/padding.ts\`).
12 subjects: all messages of twelve subjects, different ones in each run, and two thirds as much noise, like a small company.
CLINC150 and HWU64 are tuning sets; Banking77 is for reporting. The hotel software, the developer tool, the fitness app and the web shops
(\`bench/engine/companies\`) were written without knowledge of the engine, and are hard: no two messages have similar wording. Without a model
the engine leaves most of them ungrouped, and reports that; people can group them by hand. The demo company and the five languages (eight
subjects, each with four messages per language and their translations, which belong to one subject) are our own sets.
`
}
