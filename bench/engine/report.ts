/** The values of one metric, one a seed, or null where it says nothing. */
export type Cell = number[] | null
export type Line = { data: string; method: string; cells: Record<string, Cell> }
export type Report = { heading: string; seeds: number; skipped: string[]; lines: Line[] }

/** What each column is called, in their order. */
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

/** The mean and the standard deviation, as people read them. */
export function spread(values: number[]): string {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length)
  return `${mean.toFixed(1)} ± ${deviation.toFixed(1)}`
}

/** A Markdown table, one line a data set and method. */
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

Written by \`npm run bench:grouping\`. ${seeds} seeds, mean ± standard deviation; no key, no download; the engine is not told how many groups there are.

${where}

${table(lines)}

${skipped.map((name) => `- ${name}: skipped, the file is not there.\n`).join('')}
The engine reads batches of 250 messages and revises when it asks for it; \`shuffled\` in random order, \`bursty\` with a fifth of the subjects
only after halfway, \`in its order\` as the messages were written. B³, pairs: over all messages, what is ungrouped and what is noise stands alone. ACC (Hungarian),
NMI (arithmetic) and ARI: over messages with a subject, to compare with papers. Churn a batch: of the grouped messages, how many
changed their group or lost it in a batch. Ids survive: of the groups after each batch, how many still hold half of what they held then at the end. Delay: how many
messages of a subject had come when a group was first about it; found: subjects that ever had one. Name MRR: the rank of a group's own
member, when its name is searched for among up to five members of every group, members that hold all of the name's words left out. Names
distinct: 100 less the mean cosine with the most alike other name. CPU: beside that of k-means in the same run.

Peers: k-means on TF-IDF has all messages at hand and is told the true number of subjects; the leader joins each message to the group whose
first message is nearest (cosine of 0.3 or more, which serves it best on CLINC150). Both are written for this comparison (\`bench/engine/peers.ts\`).
Lines around: most messages stand between one to three lines of a letter that say nothing of the matter (\`bench/engine/padding.ts\`).
12 subjects: all messages of twelve subjects, others in each run, and two thirds as many without one, as a small company hears them.
CLINC150 and HWU64 are the sets to tune on; Banking77 is for reporting. The hotel software, the developer tool, the fitness app and the web shops
(\`engine/bench/companies\`) are made up without knowledge of the engine, and hard: nobody says it as somebody else did. Without a model the engine leaves most of it ungrouped, and says so; people can put it together by hand. The demo company and the five languages (eight subjects, each in
four messages of a language and their translations, which belong to one subject) are our own sets.
`
}
