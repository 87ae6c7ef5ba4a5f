import { cosinesOfMeans } from '../clustering/similarity/mean-cosines.ts'
import { isEmerging } from '../model.ts'
import { describe } from '../naming/describe.ts'
import { nameKey } from '../naming/sentences.ts'
import { countItems, featuresOfAll, type Issue, type Node, type State } from '../state/state.ts'
import { vectorRows } from '../text/vector-rows.ts'
import { partition, type ThemeGroup } from './partition.ts'
import { type KnownThemes, type PlannedTheme } from './theme.ts'
import { ThemeNames } from './theme-names.ts'

/** More insights than this are not compared: the smallest stay where they are. */
const MAX_INSIGHTS = 2_000
/** An insight is known by at most this many of its statements, all together by `MAX_ROWS`. */
const MAX_STATEMENTS = 30
const MIN_STATEMENTS = 4
const MAX_ROWS = 12_000

/**
 * The themes of the visible insights of a state: groups of two or more that are about one thing, each with the name of it; a group without a word
 * that most of it says is none. They continue the `known` ones, whose ids and names stay; what people decided is left as it is. Changes nothing in
 * the state.
 */
export function planThemes(state: State, known: KnownThemes): PlannedTheme[] {
  const insights = [...state.issues.values()].filter((issue) => isShown(state, issue))
  insights.sort((a, b) => b.mentions - a.mentions || a.id - b.id)
  const compared = insights.slice(0, MAX_INSIGHTS).sort((a, b) => a.id - b.id)
  const limit = Math.max(MIN_STATEMENTS, Math.min(MAX_STATEMENTS, Math.floor(MAX_ROWS / (compared.length + 1))))
  const samples = new Map(compared.map((issue) => [issue.id, sample([...issue.nodes], limit)]))
  const issueIds = compared.map(({ id }) => id)
  const groups = partition(issueIds, cosinesOf(state, [...samples.values()]), known)
  const rest = insights.slice(MAX_INSIGHTS).map(({ id }) => id)
  return named(state, samples, groups, known).map((theme) => withRest(theme, rest, known))
}

function isShown(state: State, issue: Issue): boolean {
  return issue.nodes.size > 0 && !issue.removed && !isEmerging(issue.id) && countItems(state, issue, 2) >= 2
}

/** Spread over the whole life of an insight. */
function sample(nodes: readonly number[], limit: number): number[] {
  if (nodes.length <= limit) return [...nodes]
  return Array.from({ length: limit }, (_, i) => nodes[Math.floor((i * nodes.length) / limit)] as number)
}

function cosinesOf(state: State, samples: readonly (readonly number[])[]): Float32Array {
  const nodes = samples.flat()
  const features = featuresOfAll(state, nodes)
  const compared = nodes.map((index, at) => ({
    features: features[at] as (typeof features)[number],
    language: (state.nodes[index] as Node).language,
  }))
  let place = 0
  const groups = samples.map((one) => one.map(() => place++))
  return cosinesOfMeans(vectorRows(compared, state.vocabulary), groups)
}

/** Names new themes, and known ones whose insights have changed so that their name is wrong. */
function named(
  state: State,
  samples: ReadonlyMap<number, readonly number[]>,
  groups: readonly ThemeGroup[],
  known: KnownThemes,
): PlannedTheme[] {
  const themes = new Map(known.themes.map((theme) => [theme.id, theme]))
  const pinned = new Set(known.pins.map(({ issueId }) => issueId))
  let read: ThemeNames | undefined
  const names = () => {
    read ??= new ThemeNames([...samples].map(([issueId, nodes]) => namedInsight(state, issueId, nodes)))
    return read
  }
  const found = new Set(groups.map(({ themeId }) => themeId))
  const empty = known.themes
    .filter(({ id, kept }) => kept && !found.has(id))
    .map(({ id }): ThemeGroup => ({ themeId: id, issueIds: [] }))
  const taken = new Set<string>()
  for (const { personName } of known.themes) if (personName !== null) taken.add(nameKey(personName))
  const isDue = ({ themeId, issueIds }: ThemeGroup): boolean => {
    const theme = themes.get(themeId)
    if (!theme) return true
    if (theme.personName !== null) return false
    const before = new Set(theme.insightIds)
    // What people put there is their choice, whatever it says.
    const own = issueIds.filter((id) => !pinned.has(id))
    const same = own.length === before.size && own.every((id) => before.has(id))
    return own.length > 1 && !same && !names().fits(theme.name, own)
  }
  const all = [...groups, ...empty].map((group) => ({ group, due: isDue(group) }))
  for (const { group, due } of all) if (!due) taken.add(nameKey(themes.get(group.themeId)?.name ?? ''))
  let nextId = known.lastId + 1
  const planned = all
    .toSorted((a, b) => b.group.issueIds.length - a.group.issueIds.length)
    .flatMap(({ group: { themeId, issueIds }, due }): PlannedTheme[] => {
      const theme = themes.get(themeId)
      const stays = !due || theme?.kept === true
      const name = (due ? names().choose(issueIds, taken) : null) ?? (stays ? (theme?.name ?? '') : null)
      if (name === null) return []
      return [{ id: themeId || nextId++, name, insightIds: issueIds.filter((id) => !pinned.has(id)) }]
    })
  return planned.sort((a, b) => a.id - b.id)
}

function namedInsight(state: State, issueId: number, nodes: readonly number[]) {
  const { mentions } = state.issues.get(issueId) as Issue
  const texts = nodes.map((index) => state.nodes[index] as Node).filter(({ text }) => text !== '')
  return { issueId, mentions, name: describe(state, issueId).name, texts }
}

function withRest(theme: PlannedTheme, rest: readonly number[], known: KnownThemes): PlannedTheme {
  const before = known.themes.find(({ id }) => id === theme.id)?.insightIds ?? []
  const staying = before.filter((id) => rest.includes(id))
  return staying.length === 0 ? theme : { ...theme, insightIds: [...theme.insightIds, ...staying] }
}
