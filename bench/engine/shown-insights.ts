/** An insight as people see it. Messages are indexes into the measured messages. */
export type ShownInsight = {
  /** not yet a regular insight */
  emerging: boolean
  /** each message once */
  members: readonly number[]
  /** messages that may belong here, most certain first */
  suggested: readonly number[]
}

/** What people see of a grouping, compared with labels. Percentages, 0 to 100; null where nothing could be measured. */
export type ShownScores = {
  /** share of the memberships whose message has the most frequent subject of its insight */
  majority: number | null
  /** B³ precision over grouped messages: mean share of the insight that has the same subject */
  groupedPrecision: number | null
  /** share of insights in which two thirds of the messages have one subject */
  pure: number | null
  /** share of the subjects of two or more messages that an insight is about */
  subjects: number | null
  /** insights about the same subject; mean over found subjects */
  fragments: number | null
  /** share of messages with a subject that are in no insight and suggested for none */
  missed: number | null
  /** share of messages with a subject, and of noise, that are in an insight */
  inScope: number | null
  noise: number | null
  /** the same, in a regular insight; null if no insight is emerging */
  regularInScope: number | null
  regularNoise: number | null
  /** share of insights whose first suggestion has their most frequent subject */
  firstSuggestion: number | null
  /** share of the first five suggestions of each insight, of all insights together */
  fiveSuggestions: number | null
  /** insights, emerging ones included, and these alone */
  insights: number
  emerging: number
}

/** One subject makes up at least this share of a pure insight. */
const PURE_SHARE = 2 / 3
/** An insight is about its most frequent subject if this many messages and at least half of them have it. */
const MIN_MEMBERS = 2
const SUGGESTIONS = 5

type Label = string | null
/** `subject`: the most frequent one, the first to appear among equals; null if all messages are noise. */
type Judged = ShownInsight & { subject: Label; count: number; sizes: Map<string, number> }

/** Compares insights with the labels of all messages; a null label is noise, which no two messages share. */
export function scoreShown(insights: readonly ShownInsight[], labels: readonly Label[]): ShownScores {
  const judged = insights.filter(({ members }) => members.length > 0).map((insight) => judge(insight, labels))
  const memberships = sum(judged, ({ members }) => members.length)
  const suggested = judged.filter((insight) => insight.suggested.length > 0)
  const firstFive = suggested.flatMap((insight) =>
    insight.suggested.slice(0, SUGGESTIONS).map((message) => isRight(insight, labels[message])),
  )
  return {
    majority: share(
      sum(judged, ({ count }) => count),
      memberships,
    ),
    groupedPrecision: share(
      sum(judged, (insight) => sameSubject(insight)),
      memberships,
    ),
    pure: share(judged.filter(({ count, members }) => count >= PURE_SHARE * members.length).length, judged.length),
    ...subjectsOf(judged, labels),
    ...coverageOf(judged, labels),
    firstSuggestion: share(
      suggested.filter((insight) => isRight(insight, labels[insight.suggested[0] as number])).length,
      suggested.length,
    ),
    fiveSuggestions: share(firstFive.filter((right) => right).length, firstFive.length),
    insights: judged.length,
    emerging: judged.filter(({ emerging }) => emerging).length,
  }
}

/** Groups of an algorithm that knows neither emerging insights nor suggestions; a null group is none. */
export function insightsOf(groups: readonly (number | null)[]): ShownInsight[] {
  const members = new Map<number, number[]>()
  groups.forEach((group, message) => {
    if (group !== null) members.set(group, [...(members.get(group) ?? []), message])
  })
  return [...members.values()].map((messages) => ({ emerging: false, members: messages, suggested: [] }))
}

function judge(insight: ShownInsight, labels: readonly Label[]): Judged {
  const sizes = tally(insight.members.map((message) => labels[message] ?? null))
  let subject: Label = null
  let count = 0
  for (const [label, size] of sizes) {
    if (size <= count) continue
    subject = label
    count = size
  }
  return { ...insight, subject, count, sizes }
}

function isRight({ subject }: Judged, label: Label | undefined): boolean {
  return subject !== null && label === subject
}

/** Sum over the members of the share of the insight with the same subject; a noise message shares with itself only. */
function sameSubject({ members, sizes }: Judged): number {
  const squares = sum([...sizes.values()], (size) => size * size)
  const noise = members.length - sum([...sizes.values()], (size) => size)
  return (squares + noise) / members.length
}

function subjectsOf(judged: readonly Judged[], labels: readonly Label[]): Pick<ShownScores, 'subjects' | 'fragments'> {
  const about = tally(
    judged.map(({ subject, count, members }) => (count >= MIN_MEMBERS && count * 2 >= members.length ? subject : null)),
  )
  const repeated = [...tally(labels).values()].filter((size) => size >= MIN_MEMBERS)
  return {
    subjects: share(about.size, repeated.length),
    fragments: about.size > 0 ? sum([...about.values()], (count) => count) / about.size : null,
  }
}

function coverageOf(
  judged: readonly Judged[],
  labels: readonly Label[],
): Pick<ShownScores, 'missed' | 'inScope' | 'noise' | 'regularInScope' | 'regularNoise'> {
  const regular = judged.some(({ emerging }) => emerging)
    ? new Set(judged.filter(({ emerging }) => !emerging).flatMap(({ members }) => members))
    : null
  const grouped = new Set(judged.flatMap(({ members }) => members))
  const known = new Set([...grouped, ...judged.flatMap(({ suggested }) => suggested)])
  const inScope: number[] = []
  const noise: number[] = []
  labels.forEach((label, message) => void (label === null ? noise : inScope).push(message))
  const shareIn = (messages: number[], set: Set<number>) =>
    share(messages.filter((message) => set.has(message)).length, messages.length)
  const found = shareIn(inScope, known)
  return {
    missed: found === null ? null : 100 - found,
    inScope: shareIn(inScope, grouped),
    noise: shareIn(noise, grouped),
    regularInScope: regular && shareIn(inScope, regular),
    regularNoise: regular && shareIn(noise, regular),
  }
}

function tally(labels: readonly Label[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const label of labels) if (label !== null) counts.set(label, (counts.get(label) ?? 0) + 1)
  return counts
}

function sum<T>(values: readonly T[], of: (value: T) => number): number {
  return values.reduce((total, value) => total + of(value), 0)
}

function share(part: number, whole: number): number | null {
  return whole > 0 ? (100 * part) / whole : null
}
