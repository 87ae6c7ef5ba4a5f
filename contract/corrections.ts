import * as z from 'zod/mini'
import { InsightNumber, Mention, MentionId } from './insights.ts'
import { route } from './route.ts'
import { nameOf } from './values/name.ts'

const Mentions = z.array(MentionId).check(z.minLength(1), z.maxLength(500))
const Point = nameOf(120)
const IssueNumber = z.int().check(z.gte(1), z.lte(2_147_483_647))

/**
 * What a person decides about one insight. merge: all of it belongs to `into`. split: these mentions are an insight of their
 * own. move: these mentions belong to `to`, or to no insight (null). add: these mentions, which are in no insight or which
 * a language model's review took out of this one, belong to this one. reject: these mentions are "not this". decline: these mentions, which are in no insight, do not belong to this one. rename: `name`, or null to restore the engine's name. lock: the engine takes
 * nothing out and regroups nothing into it. point: what the language model read in this mention, by which it is grouped; null restores what it read.
 */
export const CorrectionRequest = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('merge'), into: IssueNumber }),
  z.object({ kind: z.literal('split'), mentions: Mentions }),
  z.object({ kind: z.literal('move'), mentions: Mentions, to: z.nullable(IssueNumber) }),
  z.object({ kind: z.literal('add'), mentions: Mentions }),
  z.object({ kind: z.literal('reject'), mentions: Mentions }),
  z.object({ kind: z.literal('decline'), mentions: Mentions }),
  z.object({
    kind: z.literal('rename'),
    name: z.nullable(nameOf(200)),
  }),
  z.object({ kind: z.literal('lock'), locked: z.boolean() }),
  z.object({ kind: z.literal('point'), mention: MentionId, point: z.nullable(Point) }),
])
export type CorrectionRequest = z.infer<typeof CorrectionRequest>

/**
 * What a correction does to one insight. `issue_number` and `name` are null for a new insight that has none yet; `name` is the
 * one after it. people: different authors. hidden: too few mentions are left for it to be shown, or none.
 */
export const CorrectionChange = z.object({
  issue_number: z.nullable(z.int()),
  name: z.nullable(z.string()),
  mentions_before: z.int(),
  mentions_after: z.int(),
  people_before: z.int(),
  people_after: z.int(),
  becomes: z.enum(['stays', 'new', 'merged', 'hidden', 'renamed']),
})
export type CorrectionChange = z.infer<typeof CorrectionChange>

/**
 * waiting: stored, and applied by the next grouping within seconds. refused: it could no longer be applied by then, see
 * `problem`.
 */
export const CorrectionState = z.enum(['waiting', 'applied', 'refused', 'undone'])
export type CorrectionState = z.infer<typeof CorrectionState>

/**
 * A stored correction. create: mentions that were in no insight form one now; `issue_number` is set once it exists. It is null for a point of a mention in none.
 * `by` is the name of the person who made it. `other` is the insight it merged into, moved to or split off, once that has a number.
 * `mentions`: how many it concerned. `point`: what a mention is read as since; null where the kind is another.
 */
export const Correction = z.object({
  correction_id: z.string(),
  issue_number: z.nullable(z.int()),
  kind: z.enum(['merge', 'split', 'move', 'add', 'create', 'reject', 'decline', 'rename', 'lock', 'point']),
  state: CorrectionState,
  problem: z.nullable(z.string()),
  by: z.string(),
  at: z.string(),
  undone_by: z.nullable(z.string()),
  undone_at: z.nullable(z.string()),
  can_undo: z.boolean(),
  other: z.nullable(z.int()),
  mentions: z.int(),
  name: z.nullable(z.string()),
  locked: z.nullable(z.boolean()),
  point: z.optional(z.nullable(z.string())),
  changes: z.array(CorrectionChange),
})
export type Correction = z.infer<typeof Correction>

const CorrectionId = z.object({ correction_id: z.uuid() })

/** An accepted correction, and what it changes. `waiting`: applied by the next grouping, see `getCorrection`. */
export const CorrectionTaken = z.object({
  correction_id: z.string(),
  state: z.enum(['applied', 'waiting']),
  changes: z.array(CorrectionChange),
})

/** Every mention is in no insight, and they come from at least two messages. */
export const createInsight = route({
  name: 'createInsight',
  summary: 'Create an insight from mentions that are in none; regrouping never reverses it',
  method: 'POST',
  path: '/api/insights',
  access: 'member',
  scope: 'insights:write',
  audit: { action: 'insight.made' },
  body: z.object({ mentions: Mentions }),
  reply: CorrectionTaken,
  errors: ['invalid_input', 'conflict'],
  example: () => ({ body: { mentions: ['1:0', '2:0'] } }),
})

/**
 * Stores the correction, which the next grouping applies; names and locks change at once. `conflict`: the mentions or the other insight have
 * changed since, and the correction is not possible any more.
 */
export const correctInsight = route({
  name: 'correctInsight',
  summary:
    'Correct one insight: merge, split, move, add, reject or decline mentions, rename, lock, or what a mention is read as; regrouping never reverses it',
  method: 'POST',
  path: '/api/insights/{issue_number}/corrections',
  access: 'member',
  scope: 'insights:write',
  audit: { action: 'insight.corrected', target: 'issue_number' },
  params: InsightNumber,
  body: CorrectionRequest,
  reply: CorrectionTaken,
  errors: ['invalid_input', 'not_found', 'conflict'],
  ends: 'grouping',
  example: ({ issue }) => ({ params: { issue_number: issue }, body: { kind: 'lock', locked: true } }),
})

/**
 * Corrects what a mention is read as, in an insight or in none: the same as the correction `point` of its insight. `changes` is empty in no insight.
 * `conflict`: the mention is not grouped by what was read in it, or is read as that already.
 */
export const correctPoint = route({
  name: 'correctPoint',
  summary: 'Correct what the language model read in one mention, in an insight or in none; null restores what it read',
  method: 'POST',
  path: '/api/feedback-point',
  access: 'member',
  scope: 'insights:write',
  audit: { action: 'mention.point-set', target: 'mention' },
  body: z.object({ mention: MentionId, point: z.nullable(Point) }),
  reply: CorrectionTaken,
  errors: ['invalid_input', 'not_found', 'conflict'],
  needs: 'a language model',
  example: ({ mention }) => ({ body: { mention, point: 'CSV export stops half way' } }),
})

/** Computes the same plan as `correctInsight`, with the same errors, and stores nothing. */
export const previewCorrection = route({
  name: 'previewCorrection',
  summary: 'What a correction would change; changes nothing',
  method: 'POST',
  path: '/api/insights/{issue_number}/corrections/preview',
  access: 'member',
  scope: 'insights:write',
  audit: 'none',
  params: InsightNumber,
  body: CorrectionRequest,
  reply: z.object({ changes: z.array(CorrectionChange) }),
  errors: ['invalid_input', 'not_found', 'conflict'],
  example: ({ issue }) => ({
    params: { issue_number: issue },
    body: { kind: 'rename', name: 'another name' },
  }),
})

/** The corrections of an insight. It may have ended by one, so that a merge can be undone from either side. */
export const listCorrections = route({
  name: 'listCorrections',
  summary: 'The corrections that touched one insight, newest first, at most 100',
  method: 'GET',
  path: '/api/insights/{issue_number}/corrections',
  access: 'viewer',
  scope: 'read',
  params: InsightNumber,
  reply: z.object({ corrections: z.array(Correction) }),
  errors: ['invalid_input', 'not_found'],
  example: ({ issue }) => ({ params: { issue_number: issue } }),
})

/** A correction that waits has no result yet: ask again until its state is another one. */
export const getCorrection = route({
  name: 'getCorrection',
  summary: 'One correction and its progress',
  method: 'GET',
  path: '/api/corrections/{correction_id}',
  access: 'viewer',
  scope: 'read',
  params: CorrectionId,
  reply: Correction,
  errors: ['invalid_input', 'not_found'],
  example: ({ correction }) => ({ params: { correction_id: correction } }),
})

/** The reply describes the change that is undone. `waiting`: applied by the next grouping; `getCorrection` then returns `undone`. */
export const undoCorrection = route({
  name: 'undoCorrection',
  summary: 'Undo one correction; later changes by others stay',
  method: 'POST',
  path: '/api/corrections/{correction_id}/undo',
  access: 'member',
  scope: 'insights:write',
  audit: { action: 'correction.undone', target: 'correction_id' },
  params: CorrectionId,
  reply: z.object({ correction_id: z.string(), state: z.enum(['undone', 'waiting']) }),
  errors: ['invalid_input', 'not_found', 'conflict'],
  example: ({ correction }) => ({ params: { correction_id: correction } }),
})

/**
 * Why a mention is where it is. `rule`: what decided, as text. `terms`: the words that support it, strongest
 * first. `meant`: words matched by meaning or translation, such as `langsam ≈ slow`. `score` and candidates'
 * scores: similarity, 0 to 1. `model` and `prompt_version` are null where none was involved. `replies_to`: the message that began its
 * conversation, where that decided. `nearest`: the mentions of the insight nearest to it in meaning, where sentences were compared.
 */
export const Why = z.object({
  decided_by: z.enum(['engine', 'person', 'model']),
  person: z.nullable(z.string()),
  decided_at: z.string(),
  score: z.number(),
  rule: z.string(),
  terms: z.array(z.string()),
  meant: z.array(z.string()),
  candidates: z.array(
    z.object({ issue_number: z.int(), name: z.nullable(z.string()), score: z.number(), chosen: z.boolean() }),
  ),
  engine_version: z.nullable(z.string()),
  model: z.nullable(z.string()),
  prompt_version: z.nullable(z.string()),
  replies_to: z.optional(z.nullable(Mention)),
  nearest: z.optional(z.array(z.extend(Mention, { similarity: z.number() }))),
})
export type Why = z.infer<typeof Why>

/** `not_found`: the insight does not have this mention. */
export const whyHere = route({
  name: 'whyHere',
  summary: 'Why one mention is in this insight: what was compared, what decided, and who',
  method: 'GET',
  path: '/api/insights/{issue_number}/evidence/{id}/why',
  access: 'viewer',
  scope: 'read',
  params: z.extend(InsightNumber, { id: MentionId }),
  reply: Why,
  errors: ['invalid_input', 'not_found'],
  example: ({ issue, mention }) => ({ params: { issue_number: issue, id: mention } }),
})
