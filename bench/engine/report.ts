/** The values of one metric, one per seed; null if not applicable. */
export type Cell = number[] | null
export type Line = { data: string; method: string; cells: Record<string, Cell> }
export type Report = { heading: string; seeds: number; skipped: string[]; lines: Line[] }

/** Column headings, in order. */
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
  churn: 'churn a batch',
  survival: 'ids survive',
  delay: 'delay',
  discovered: 'found',
  mrr: 'name MRR',
  distinct: 'names distinct',
  groups: 'groups',
  ratio: 'CPU, × k-means',
}

/** Mean ± standard deviation. */
export function spread(values: number[]): string {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length)
  return `${mean.toFixed(1)} ± ${deviation.toFixed(1)}`
}

/** A Markdown table, one line per data set and method. */
export function table(lines: Line[]): string {
  const keys = Object.keys(COLUMNS)
  return [
    `| data | method | ${keys.map((key) => COLUMNS[key]).join(' | ')} |`,
    `|---|---|${keys.map(() => '---:|').join('')}`,
    ...lines.map(({ data, method, cells }) => {
      const shown = keys.map((key) => (cells[key] ? spread(cells[key]) : '–'))
      return `| ${data} | ${method} | ${shown.join(' | ')} |`
    }),
  ].join('\n')
}

/** The whole page. */
export function page({ heading: where, seeds, skipped, lines }: Report): string {
  return `# How well the engine groups

Written by \`npm run bench:grouping\`. ${seeds} seeds, mean ± standard deviation; no API key, no download; the engine does not know the
number of groups.

${where}

${table(lines)}

${skipped.map((name) => `- ${name}: skipped, the file is missing.\n`).join('')}
The engine processes batches of 250 messages and runs a revision whenever it requests one: \`shuffled\` in random order, \`bursty\` with a fifth
of the subjects only in the second half, \`in its order\` as the messages were written. B³ and pair F1: over all messages, with ungrouped
messages and noise as singletons. ACC (Hungarian), NMI (arithmetic) and ARI: over messages with a subject, comparable to papers. Churn a
batch: the share of grouped messages that changed or left their group in a batch. Ids survive: the share of groups after each batch that
still hold half of their members at the end. Delay: the number of messages of a subject that had arrived when a group was first about it;
found: subjects that ever had one. Name MRR: the rank of a group's own member when searching for its name among up to five members of every
group, without members that contain all words of the name. Names distinct: 100 minus the mean cosine with the most similar other name. CPU:
relative to k-means in the same run.

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
