import type { Correction } from '@groundswell/contract/corrections.ts'
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'

/** A correction in effect that says where mentions belong, what an insight is called or what a mention says. Mentions by id, those with the oldest messages first. */
export type LabelledCorrection = {
  id: string
  kind: Exclude<Correction['kind'], 'lock'>
  /** the insights concerned */
  touched: number[]
  /** the mentions that were corrected */
  about: string[]
  /** mentions that they belong with */
  with: string[]
  /** mentions that they do not belong with */
  apart: string[]
  /** of a rename or a point: what a person wrote */
  name: string | null
}

type Row = Pick<LabelledCorrection, 'id' | 'kind' | 'touched' | 'name'> & {
  /** null: of a point of a mention in none */
  issueNumber: number | null
  other: number | null
  mention: string | null
}
type RuledMention = { mention: string; pin: number | null; former: number | null }

/** No more mentions of one side say anything new about a correction. */
const MAX_MENTIONS = 12

/** In effect: applied, and neither overruled by a later correction nor, of a name or a point, changed since. */
const inEffect = (workspaceId: string) => sql`
  c.workspace_id = ${workspaceId} and c.state = 'applied' and not c.undoing and (c.issue_number is not null or c.kind = 'point') and case c.kind
    when 'lock' then false
    when 'rename' then exists (select from insight i where i.workspace_id = c.workspace_id and i.issue_number = c.issue_number
      and i.ended_at is null and i.deleted_at is null and i.name_by_person and i.name = c.request ->> 'name')
      and not exists (select from correction later where later.workspace_id = c.workspace_id and later.kind = 'rename'
        and later.state = 'applied' and later.issue_number = c.issue_number and later.created_at > c.created_at)
    when 'point' then exists (select from statement s where s.workspace_id = c.workspace_id
      and s.item_id = split_part(c.request ->> 'mention', ':', 1)::bigint
      and s.number = split_part(c.request ->> 'mention', ':', 2)::smallint and s.point = c.request ->> 'made')
      and c.request ->> 'point' is not null
      and not exists (select from correction later where later.workspace_id = c.workspace_id and later.kind = 'point'
        and later.state = 'applied' and later.request ->> 'mention' = c.request ->> 'mention' and later.created_at > c.created_at)
    else exists (select from statement_rule rule where rule.workspace_id = c.workspace_id and rule.correction_id = c.id) end`

/** How many corrections are in effect. */
export async function countLabelled(tx: Tx, workspaceId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from correction c where ${inEffect(workspaceId)}`.execute(tx)
  return rows[0]?.count ?? 0
}

/** The newest corrections in effect, with the mentions that they are about now; those whose mentions or insights are gone are left out. */
export async function readLabelled(tx: Tx, workspaceId: string, limit: number): Promise<LabelledCorrection[]> {
  const { rows } = await sql<Row>`
    select c.id, c.kind, c.issue_number as "issueNumber", c.other_number as other, c.touched,
      c.request ->> 'mention' as mention, case c.kind when 'rename' then c.request ->> 'name' when 'point' then c.request ->> 'made' end as name
    from correction c where ${inEffect(workspaceId)}
    order by c.created_at desc, c.id limit ${limit}`.execute(tx)
  const found: LabelledCorrection[] = []
  for (const row of rows) {
    const sides = await readSides(tx, workspaceId, row)
    const says = row.name !== null || sides.with.length + sides.apart.length > 0
    const { id, kind, touched, name } = row
    if (sides.about.length > 0 && says) found.push({ id, kind, touched, name, ...sides })
  }
  return found
}

type Sides = Pick<LabelledCorrection, 'about' | 'with' | 'apart'>

async function readSides(tx: Tx, workspaceId: string, row: Row): Promise<Sides> {
  const { kind, issueNumber, other, mention } = row
  const none = { with: [], apart: [] }
  if (kind === 'point' || issueNumber === null) return { ...none, about: mention === null ? [] : [mention] }
  if (kind === 'rename') return { ...none, about: await readMembers(tx, workspaceId, issueNumber, []) }
  const ruled = await readRuled(tx, workspaceId, row.id)
  const about = ids(ruled)
  const membersOf = (number: number) => readMembers(tx, workspaceId, number, ids(ruled, Number.POSITIVE_INFINITY))
  switch (kind) {
    case 'merge': {
      // What was in the other insight already has kept no former place, or that one.
      const [from] = row.touched
      return {
        ...none,
        about: ids(ruled.filter(({ former }) => former === from)),
        with: ids(ruled.filter(({ former }) => former !== from)),
      }
    }
    case 'split':
      return {
        ...none,
        about: ids(ruled.filter(({ pin }) => pin === other)),
        apart: ids(ruled.filter(({ pin }) => pin !== other)),
      }
    case 'move': {
      const formers = [...new Set(ruled.flatMap(({ former }) => (former === null || former === other ? [] : [former])))]
      const [former] = formers
      return {
        about,
        with: other === null ? [] : await membersOf(other),
        apart: former === undefined ? [] : await membersOf(former),
      }
    }
    case 'add':
      return { ...none, about, with: await membersOf(issueNumber) }
    case 'create':
      return { ...none, about: about.slice(0, 1), with: about.slice(1) }
    case 'reject':
    case 'decline':
      return { ...none, about, apart: await membersOf(issueNumber) }
  }
}

/** The mentions that still have the rule which a correction gave, with the insight that they had been in. */
async function readRuled(tx: Tx, workspaceId: string, correctionId: string): Promise<RuledMention[]> {
  const { rows } = await sql<RuledMention>`
    select rule.item_id || ':' || rule.number as mention, rule.pin, was.issue_number as former
    from statement_rule rule
    join statement s on s.workspace_id = rule.workspace_id and s.item_id = rule.item_id and s.number = rule.number
    left join correction_statement was on was.workspace_id = rule.workspace_id and was.correction_id = rule.correction_id
      and was.item_id = rule.item_id and was.number = rule.number
    where rule.workspace_id = ${workspaceId} and rule.correction_id = ${correctionId}
    order by rule.item_id, rule.number`.execute(tx)
  return rows
}

async function readMembers(
  tx: Tx,
  workspaceId: string,
  issueNumber: number,
  without: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ mention: string }>`
    select mention from (
      select item_id, number, item_id || ':' || number as mention from statement
      where workspace_id = ${workspaceId} and issue_number = ${issueNumber}
    ) s where not mention = any(${[...without]}::text[])
    order by item_id, number limit ${MAX_MENTIONS}`.execute(tx)
  return rows.map(({ mention }) => mention)
}

function ids(ruled: readonly RuledMention[], max = MAX_MENTIONS): string[] {
  return ruled.slice(0, max).map(({ mention }) => mention)
}

/** Mentions of different insights, two of each, those with the oldest messages first. */
export async function readSample(
  tx: Tx,
  workspaceId: string,
  limit: number,
): Promise<{ mention: string; issueNumber: number }[]> {
  const { rows } = await sql<{ mention: string; issueNumber: number }>`
    select item_id || ':' || number as mention, issue_number as "issueNumber" from (
      select item_id, number, issue_number, row_number() over (partition by issue_number order by item_id, number) as place
      from statement where workspace_id = ${workspaceId} and issue_number is not null
    ) s where place <= 2 order by item_id, number limit ${limit}`.execute(tx)
  return rows
}
