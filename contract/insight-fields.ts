import * as z from 'zod/mini'
import { Insight } from './insights.ts'

// Describes the stored fields of an insight; `Insight` has their types. The browser does not load this module.

/** The stored fields of an insight: those of `Insight`, except for values that are derived from mentions and tags on reading. */
export type InsightField = Exclude<keyof Insight, 'evidence' | 'categories' | 'trend' | 'trend_end'>

type Given<K extends InsightField> = Exclude<Insight[K], undefined>

/**
 * `doc`: what it is, in the OpenAPI document. `example`: in its examples; absent: they are without the field. `none`: the stored value that says
 * "there is none"; replies then leave the field out. `isTime`: stored as a time, and ISO 8601 in UTC in replies. `access`: who may see it;
 * `link` is also everyone who opens a read-only link.
 */
type Described<K extends InsightField> = {
  doc: string
  example?: Given<K>
  none?: null | 0 | false
  isTime?: true
  access: 'workspace' | 'link'
}

/** Each stored field, by its name in replies. */
export const insightFields = {
  issue_number: { doc: 'Its number in the workspace.', example: 12, access: 'link' },
  issue_name: { doc: 'The shown name.', example: 'CSV export fails on large reports', access: 'link' },
  summary: { doc: 'What its mentions say.', example: 'Large reports stop or fail.', access: 'link' },
  status: { doc: 'How far it is: `regressed` is reported again after `resolved`.', example: 'created', access: 'link' },
  last_updated: {
    doc: 'The later of the newest arrival of a mention here and the last change by a person.',
    example: '2026-05-31T09:31:04.000Z',
    isTime: true,
    access: 'link',
  },
  mention_count: { doc: 'All its mentions; `evidence` has the newest only.', example: 13, access: 'link' },
  people_count: { doc: 'Its authors, and each message without one.', example: 11, access: 'link' },
  text_count: {
    doc: 'Different texts among its mentions: case, spacing and links do not tell texts apart. Absent until they are counted.',
    example: 13,
    none: null,
    access: 'workspace',
  },
  author_count: {
    doc: 'Known authors of its mentions. Absent until they are counted.',
    example: 11,
    none: null,
    access: 'workspace',
  },
  customer_count: { doc: 'Its known customers; absent where there is none.', none: 0, access: 'workspace' },
  revenue: { doc: 'Of its customers together, without a currency; absent: unknown.', none: null, access: 'workspace' },
  first_seen: { doc: 'Of its first mention.', example: '2026-04-02T08:00:00.000Z', isTime: true, access: 'link' },
  last_seen: { doc: 'Of its newest mention.', example: '2026-05-31T09:30:00.000Z', isTime: true, access: 'link' },
  first_seen_date_only: {
    doc: 'Only the day is known: `first_seen` is its midnight in UTC, and the same day in every time zone.',
    none: false,
    access: 'link',
  },
  last_seen_date_only: { doc: 'As `first_seen_date_only`, of `last_seen`.', none: false, access: 'link' },
  sources: { doc: 'The connectors of its mentions.', example: ['helpdesk'], access: 'workspace' },
  revision: { doc: 'Grows with every change of what is shown.', example: 314, access: 'workspace' },
  main_kind: { doc: 'What most of its mentions are.', example: 'problem', none: null, access: 'workspace' },
  team_status: { doc: 'Absent where nobody set one.', example: 'planned', none: null, access: 'link' },
  assigned_to: { doc: 'The account of who works on it; absent: nobody does.', none: null, access: 'workspace' },
} as const satisfies { [K in InsightField]: Described<K> }

type Fields = typeof insightFields
type NoneOf<K extends InsightField> = Fields[K] extends { none: infer N } ? N : never
type Stored<K extends InsightField, Time> =
  | NoneOf<K>
  | (Fields[K] extends { isTime: true } ? Time | Extract<Given<K>, null> : Given<K>)

/** The values of the stored fields as the database has them. */
export type InsightValues = { [K in InsightField]: Stored<K, Date> }

/** The names of the stored fields. */
export const INSIGHT_FIELDS = Object.keys(insightFields) as InsightField[]

type FieldOfLinks = { [K in InsightField]: Fields[K]['access'] extends 'link' ? K : never }[InsightField]
/** Text by customers, and text derived from it, is marked as untrusted for agents. */
type TrustedField = Exclude<InsightField, 'issue_name' | 'summary'>

/** The columns of the CSV before and after that of the tags. */
const beforeTags = [
  'issue_number',
  'issue_name',
  'summary',
  'status',
  'mention_count',
  'people_count',
  'first_seen',
  'last_seen',
  'last_updated',
] as const satisfies InsightField[]
const afterTags = ['team_status', 'customer_count', 'revenue'] as const satisfies InsightField[]

/**
 * Which stored fields leave the product, and where: a field that is not named here is nowhere except in the list, which has what `Insight` names.
 * What a way out shows differently, such as the name for agents, is in its own code.
 */
export const insightOutputs = {
  csv: { beforeTags, afterTags },
  /** The lines of JSONL. */
  export: [...beforeTags, ...afterTags, 'sources'],
  /** The tools of the MCP server. */
  agents: [
    'issue_number',
    'status',
    'team_status',
    'main_kind',
    'mention_count',
    'people_count',
    'first_seen',
    'last_seen',
    'last_updated',
    'sources',
  ],
  /** The events of `receivers`. */
  events: ['status', 'team_status', 'mention_count', 'people_count', 'customer_count'],
  /** A push to a destination that is not a tracker. */
  push: [
    'issue_number',
    'issue_name',
    'summary',
    'status',
    'mention_count',
    'people_count',
    'customer_count',
    'revenue',
    'first_seen',
    'last_seen',
  ],
  /** The lines of digests and alerts. */
  digest: ['issue_number', 'issue_name', 'mention_count', 'people_count'],
} as const satisfies { agents: readonly TrustedField[] } & Record<string, readonly InsightField[] | object>

/** What the pages of read-only links name besides name, summary and status, with its words there. */
export const sharedFields = {
  insight: {
    mention_count: 'Mentions',
    people_count: 'People',
    first_seen: 'First mention',
    last_seen: 'Latest mention',
  },
  /** The columns of a view. */
  view: { mention_count: 'Mentions', people_count: 'People', last_seen: 'Latest' },
} as const satisfies Record<string, { [K in FieldOfLinks]?: string }>

type SharedFields = typeof sharedFields

/** The fields that a page of a read-only link names, each with its words. */
export function sharedEntries<P extends keyof SharedFields>(page: P) {
  return Object.entries(sharedFields[page]) as [keyof SharedFields[P], string][]
}

/** The columns of the CSV, in their order. Files with just this header are read as what they were exported from. */
export const EXPORT_COLUMNS = [
  ...beforeTags,
  'tags',
  ...afterTags,
  'mention_date',
  'mention_author',
  'mention_source',
  'mention_place',
  'mention_text',
  'mention_link',
] as const

/** A stored insight in examples. */
export const exampleValues = Object.fromEntries(
  Object.entries(insightFields).flatMap(([name, field]) => ('example' in field ? [[name, field.example]] : [])),
) as unknown as { [K in InsightField as Fields[K] extends { example: unknown } ? K : never]: Given<K> }

/** These fields of an object, without those that it does not have. */
export function pickFields<T extends object, K extends keyof T>(from: T, names: readonly K[]): Pick<T, K> {
  return Object.fromEntries(names.flatMap((name) => (name in from ? [[name, from[name]]] : []))) as Pick<T, K>
}

/** The values of these fields as replies have them, complete: `none` is a value. */
export type CompleteFields<K extends InsightField> = { [P in K]: Stored<P, string> }

/** The values of these fields as replies have them: a field without a value is left out. */
export type GivenFields<K extends InsightField> = {
  [P in K as Fields[P] extends { none: unknown } ? P : never]?: Given<P>
} & { [P in K as Fields[P] extends { none: unknown } ? never : P]: Given<P> }

/** These fields of a stored insight for a way out that always has all of them. */
export function completeFields<K extends InsightField>(
  values: Pick<InsightValues, K>,
  names: readonly K[],
): CompleteFields<K> {
  return Object.fromEntries(names.map((name) => [name, shown(values[name])])) as CompleteFields<K>
}

/** These fields of a stored insight for a way out that leaves out what has no value. */
export function givenFields<K extends InsightField>(
  values: Pick<InsightValues, K>,
  names: readonly K[],
): GivenFields<K> {
  const given = names.filter((name) => noneOf(name) === undefined || noneOf(name) !== values[name])
  return Object.fromEntries(given.map((name) => [name, shown(values[name])])) as GivenFields<K>
}

/** The schemas of what `completeFields` returns. */
export function completeSchemas<K extends InsightField>(
  names: readonly K[],
): { [P in K]: z.ZodMiniType<Stored<P, string>> } {
  return schemasOf(names, (schema, none) => (none === null ? z.nullable(schema) : schema)) as never
}

/** The schemas of what `givenFields` returns. */
export function givenSchemas<K extends InsightField>(
  names: readonly K[],
): {
  [P in K]: Fields[P] extends { none: unknown } ? z.ZodMiniOptional<z.ZodMiniType<Given<P>>> : z.ZodMiniType<Given<P>>
} {
  return schemasOf(names, (schema, none) => (none === undefined ? schema : z.optional(schema))) as never
}

type Schema = z.ZodMiniType

function schemasOf(names: readonly InsightField[], withNone: (schema: Schema, none: unknown) => Schema) {
  return Object.fromEntries(
    names.map((name) => [name, withNone(z.nonoptional(Insight.shape[name] as Schema), noneOf(name))]),
  )
}

const noneOf = (name: InsightField) => (insightFields[name] as { none?: unknown }).none
const shown = (value: unknown) => (value instanceof Date ? value.toISOString() : value)

for (const name of INSIGHT_FIELDS) {
  // The list is the only place in the OpenAPI document with all of them. A status means the same wherever it is.
  z.globalRegistry.add(Insight.shape[name], { description: insightFields[name].doc })
}
