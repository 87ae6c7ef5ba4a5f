/** How groups develop while messages arrive. All except `delay` are percentages, 0 to 100. */
export type History = {
  /** share of the grouped messages that changed or left their group in a batch; mean over batches */
  churn: number
  /** share of the groups visible after a batch that still hold at least half of those members at the end */
  survival: number
  /** messages of a subject that had arrived when a group was first about it; mean over found subjects */
  delay: number
  /** share of subjects that ever had a group */
  discovered: number
}

/** The group of each message that arrived by the end of a batch, in order of arrival; null: none. */
export type Snapshot = (number | null)[]

/** A group is about a subject if it has this many of its messages and they are at least half of it. */
const MIN_MEMBERS = 2

/**
 * Scores the history of groups from one snapshot per batch, and the labels in order of arrival; a null label is
 * noise.
 */
export function scoreHistory(snapshots: Snapshot[], labels: (string | null)[]): History {
  return { churn: churnOf(snapshots), survival: survivalOf(snapshots), ...discoveryOf(snapshots, labels) }
}

function churnOf(snapshots: Snapshot[]): number {
  const shares: number[] = []
  for (let batch = 1; batch < snapshots.length; batch++) {
    const before = snapshots[batch - 1] as Snapshot
    const after = snapshots[batch] as Snapshot
    const held = before.flatMap((group, i) => (group === null ? [] : [i]))
    if (held.length === 0) continue
    shares.push(held.filter((i) => before[i] !== after[i]).length / held.length)
  }
  return 100 * mean(shares)
}

function survivalOf(snapshots: Snapshot[]): number {
  const end = snapshots.at(-1) ?? []
  const shares: number[] = []
  for (const snapshot of snapshots.slice(0, -1)) {
    const groups = membersOf(snapshot)
    if (groups.size === 0) continue
    const alive = [...groups].filter(
      ([group, members]) => members.filter((i) => end[i] === group).length * 2 >= members.length,
    )
    shares.push(alive.length / groups.size)
  }
  return 100 * mean(shares)
}

function discoveryOf(snapshots: Snapshot[], labels: (string | null)[]): { delay: number; discovered: number } {
  const found = new Map<string, number>()
  for (const snapshot of snapshots) {
    const arrived = tally(labels.slice(0, snapshot.length))
    for (const members of membersOf(snapshot).values()) {
      for (const [label, count] of tally(members.map((i) => labels[i] ?? null))) {
        if (count < MIN_MEMBERS || count * 2 < members.length || found.has(label)) continue
        found.set(label, arrived.get(label) ?? 0)
      }
    }
  }
  const subjects = tally(labels).size
  return { delay: mean([...found.values()]), discovered: subjects > 0 ? (100 * found.size) / subjects : 0 }
}

function membersOf(snapshot: Snapshot): Map<number, number[]> {
  const groups = new Map<number, number[]>()
  snapshot.forEach((group, i) => {
    if (group === null) return
    const members = groups.get(group)
    if (members) members.push(i)
    else groups.set(group, [i])
  })
  return groups
}

function tally(labels: (string | null)[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const label of labels) if (label !== null) counts.set(label, (counts.get(label) ?? 0) + 1)
  return counts
}

function mean(values: number[]): number {
  return values.length > 0 ? values.reduce((sum, value) => sum + value, 0) / values.length : 0
}
