import { toneOf } from '../kinds/tone.ts'
import type { Description } from '../model.ts'
import { type Issue, type IssueDisplay, isEcho, type Node, type State } from '../state/state.ts'
import type { Language } from '../text/language.ts'
import { hashText } from '../text/vocabulary.ts'
import { RARE_SHARE, type WordShares } from './details.ts'
import { chooseName, type Sentence } from './naming.ts'
import { analysedSentences, nameKey } from './sentences.ts'
import { spellingOf } from './spelling.ts'
import { overlap, summaryOf } from './summary.ts'

/** A group is described from at most this many of its statements. */
const MAX_STATEMENTS = 60
const MAX_QUOTES = 3
/** Below this share of the group's messages a word is uncommon. */
const UNCOMMON_SHARE = 0.25
/** An issue is described again when it has grown by this factor. */
const RENAME_GROWTH = 1.25
const UNNAMED_ISSUE = 'Unnamed issue'
const UNKNOWN_ISSUE: IssueDisplay = {
  name: UNNAMED_ISSUE,
  confident: false,
  summary: '',
  quotes: [],
  hash: '00000000',
  size: 0,
}

/**
 * How an issue is shown: name, summary and quotes as of the last revision, or computed now for a newer issue. Changes
 * nothing. An unknown number gives `Unnamed issue` without quotes.
 */
export function describe(state: State, issueId: number): Description {
  const issue = state.issues.get(issueId)
  const shown = issue ? (issue.shown ?? buildDisplay(state, issue, new Set())) : UNKNOWN_ISSUE
  const quotes: { statementId: string }[] = []
  for (const index of shown.quotes) {
    const statementId = state.statementIds[index]
    if (statementId) quotes.push({ statementId })
  }
  return { name: shown.name, confident: shown.confident, summary: shown.summary, quotes, hash: shown.hash }
}

/**
 * Whether a caller should call `describe` again for an issue with this many mentions: it was never described, it was
 * `reshaped` by moves or lineage events, or it has grown by a quarter since it was described with `describedMentions`.
 */
export function needsRename(issue: { mentions: number; describedMentions?: number; reshaped: boolean }): boolean {
  const { mentions, describedMentions, reshaped } = issue
  return describedMentions === undefined || reshaped || mentions >= describedMentions * RENAME_GROWTH
}

/**
 * Describes issues that are new or have changed substantially (`outgrown`), largest first, with unique names. Others
 * keep theirs: known names should be stable.
 */
export function describeChanged(state: State): void {
  describeDue(state, (issue, shown) => outgrown(state, issue, shown))
}

/** The same for these issues only. */
export function describeIssues(state: State, issueIds: Set<number>): void {
  describeDue(state, (issue, shown) => issueIds.has(issue.id) && outgrown(state, issue, shown), issueIds)
}

function describeDue(state: State, isDue: (issue: Issue, shown: IssueDisplay) => boolean, among?: Set<number>): void {
  const taken = new Set<string>()
  const due: Issue[] = []
  for (const issue of state.issues.values()) {
    if (issue.nodes.size === 0 || (!issue.shown && among && !among.has(issue.id))) continue
    if (issue.shown && !isDue(issue, issue.shown)) reserve(taken, issue.shown.name)
    else due.push(issue)
  }
  due.sort((a, b) => b.mentions - a.mentions || a.id - b.id)
  for (const issue of due) {
    issue.shown = buildDisplay(state, issue, taken)
    reserve(taken, issue.shown.name)
  }
}

function reserve(taken: Set<string>, name: string): void {
  taken.add(nameKey(name)).add(name)
}

/** Describes all issues again, regardless of their current names: for a state that no one has seen yet. */
export function redescribeAll(state: State): void {
  for (const issue of state.issues.values()) issue.shown = null
  describeChanged(state)
}

/** Names once had two halves joined by a slash. Those in stored states are replaced. */
function isJoined(name: string): boolean {
  return name.includes(' / ')
}

/** Grown by half, shrunk to half, lost a quoted statement, or with a name of two halves. */
function outgrown(state: State, issue: Issue, shown: IssueDisplay): boolean {
  if (isJoined(shown.name) || issue.mentions > shown.size * 1.5 + 1 || issue.mentions * 2 < shown.size) return true
  return shown.quotes.some((index) => state.nodes[state.statementNodes[index] as number]?.issue !== issue.id)
}

function buildDisplay(state: State, issue: Issue, taken: Set<string>): IssueDisplay {
  const kept = [...issue.nodes].map((index) => state.nodes[index] as Node).filter((node) => node.text !== '')
  const withSubject = kept.filter((node) => !node.subjectless)
  const nodes = withSubject.length > 0 ? withSubject : kept
  const sentences = collectSentences(state, sampleNodes(nodes))
  const shares = sharesOf(sentences)
  const worth = (stemmed: string) => (shares.get(stemmed) ?? 0) * rarity(state, stemmed)
  const language = commonLanguage(nodes)
  for (const sentence of sentences) {
    sentence.centrality = centralityOf(sentence.stems, shares, worth) * (sentence.node.language === language ? 1 : 0.5)
  }
  sentences.sort((a, b) => b.centrality - a.centrality)
  const earlier = issue.shown && !isJoined(issue.shown.name) ? issue.shown.name : undefined
  const named = (among: Sentence[]) =>
    chooseName(among, shares, (stemmed) => rarity(state, stemmed), language, taken, earlier)
  const inLanguage = sentences.filter(({ node }) => node.language === language)
  const { name, confident } = named(inLanguage) ??
    named(sentences) ?? { name: fallbackName(sentences, taken), confident: false }
  const summary = summaryOf(sentences, name)
  const quotes = quotesOf(sentences)
  const all = `${name}\n${summary}`
  const hash = (hashText(all, 0, all.length, 7) >>> 0).toString(16).padStart(8, '0')
  return { name, confident, summary, quotes, hash, size: issue.mentions }
}

/** At most 60 nodes, spread over the group's lifetime: the first ones alone may show one side only. */
function sampleNodes(nodes: Node[]): Node[] {
  if (nodes.length <= MAX_STATEMENTS) return nodes
  return Array.from(
    { length: MAX_STATEMENTS },
    (_, i) => nodes[Math.floor((i * nodes.length) / MAX_STATEMENTS)] as Node,
  )
}

function collectSentences(state: State, nodes: Node[]): Sentence[] {
  return nodes.flatMap((node) => {
    const weight = weightOf(state, node)
    return analysedSentences(node).map((read) => ({ ...read, node, weight, centrality: 0 }))
  })
}

/** The number of messages a node stands for, without those that only follow their conversation. */
function weightOf(state: State, node: Node): number {
  let messages = 0
  for (const follower of node.followers) if (!isEcho(state, follower)) messages++
  return Math.max(1, messages)
}

/** The share of the group's messages in which each content word occurs. */
function sharesOf(sentences: Sentence[]): WordShares {
  const shares: WordShares = new Map()
  const last = new Map<string, Node>()
  let node: Node | null = null
  let whole = 0
  for (const sentence of sentences) {
    if (sentence.node !== node) whole += sentence.weight
    node = sentence.node
    for (const stemmed of sentence.stems) {
      if (last.get(stemmed) === node) continue
      last.set(stemmed, node)
      shares.set(stemmed, (shares.get(stemmed) ?? 0) + sentence.weight)
    }
  }
  for (const [stemmed, held] of shares) shares.set(stemmed, held / whole)
  return shares
}

function rarity(state: State, stemmed: string): number {
  return state.featureExtractor.rarity(stemmed)
}

/** How much of the group's content a sentence covers, reduced for words that few members use. */
function centralityOf(stems: Set<string>, shares: WordShares, worth: (stemmed: string) => number): number {
  if (stems.size === 0) return 0
  let sum = 0
  let common = 0
  let own = 1
  for (const stemmed of stems) {
    const share = shares.get(stemmed) ?? 0
    sum += worth(stemmed)
    common += Math.min(1, 3 * share)
    if (share < RARE_SHARE) own *= 0.5
    else if (share < UNCOMMON_SHARE) own *= 0.8
  }
  return (sum / Math.sqrt(stems.size)) * own * (0.1 + common / stems.size)
}

function commonLanguage(nodes: Node[]): Language {
  const counts = new Map<Language, number>()
  for (const { language, followers } of nodes) counts.set(language, (counts.get(language) ?? 0) + followers.length)
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 'en'
}

/** The name when no sentence is suitable: the start of the most central one whose name is not taken, cut at a word. */
function fallbackName(sentences: Sentence[], taken: Set<string>): string {
  const spelled = spellingOf(sentences)
  const starts = sentences.map(({ text, node: { language } }) => ({
    start: spelled(startOf(text.toWellFormed().replace(/\s+/g, ' ')), language),
    text,
    language,
  }))
  const isReversed = ({ start, text, language }: (typeof starts)[number]) =>
    toneOf(start, language) === 'praise' && toneOf(text, language) !== 'praise'
  const free = starts.filter(({ start }) => !taken.has(start))
  return (free.find((one) => !isReversed(one)) ?? free[0] ?? starts[0])?.start ?? UNNAMED_ISSUE
}

function startOf(text: string): string {
  if (text.length <= 70) return text.replace(/[\s.,!?;:]+$/, '') || text || UNNAMED_ISSUE
  const cut = text.slice(0, 70)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), 20)).toWellFormed()}…`
}

function quotesOf(sentences: Sentence[]): number[] {
  const chosen: Sentence[] = []
  for (const sentence of sentences) {
    if (chosen.length === MAX_QUOTES) break
    if (chosen.some((one) => one.node === sentence.node || overlap(one.stems, sentence.stems) > 0.8)) continue
    chosen.push(sentence)
  }
  return chosen.map((one) => one.node.followers[0] as number)
}
