import { ContractError } from '@groundswell/contract/errors.ts'
import { type Asker, exportAskers, listAskers, MAX_ASKERS, setTold } from '@groundswell/contract/insights/askers.ts'
import { csvCell } from '@groundswell/contract/values/csv-cell.ts'
import { dateText } from '../../../platform/day.ts'
import { inWorkspace, type Tx } from '../../../platform/db/tenant.ts'
import { type Handler, handle } from '../../../platform/http/handle.ts'
import { PreparedReply } from '../../../platform/http/prepared-reply.ts'
import type { Services } from '../../../platform/services.ts'
import { inTurn } from '../../../platform/shares/turns.ts'
import { readInsight } from '../store.ts'
import { type AskerRow, addTold, readAskers, removeTold } from './store.ts'

/** Without it spreadsheets do not read the file as UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF'
const COLUMNS = ['name', 'mentions', 'date', 'source', 'place', 'text', 'link', 'told_at', 'told_by'].join(',')

/** The calls about the people in an insight, and who has been told about it. */
export function askerRoutes(services: Services): Handler[] {
  return [
    handle(listAskers, ({ caller: { workspaceId }, params: { issue_number: number } }) =>
      inWorkspace(services.db, workspaceId, async (tx) => {
        await requireShown(tx, workspaceId, number)
        const rows = await readAskers(tx, workspaceId, number, MAX_ASKERS)
        return { total: rows[0]?.total ?? 0, told: rows[0]?.told ?? 0, askers: rows.map(viewAsker) }
      }),
    ),

    handle(exportAskers, ({ caller, params: { issue_number: number }, request: { signal } }) =>
      inTurn(services, 'exports', caller, signal, () =>
        inWorkspace(services.db, caller.workspaceId, async (tx) => {
          await requireShown(tx, caller.workspaceId, number)
          const rows = await readAskers(tx, caller.workspaceId, number, null)
          const file = `${BYTE_ORDER_MARK}${COLUMNS}\r\n${rows.map(csvLine).join('')}`
          const disposition = `attachment; filename="groundswell-who-asked-${number}.csv"`
          const headers = { 'content-type': 'text/csv; charset=utf-8', 'content-disposition': disposition }
          return new PreparedReply(200, headers, file)
        }),
      ),
    ),

    handle(setTold, ({ caller: { workspaceId, name, email }, params: { issue_number: number }, body }) =>
      inWorkspace(services.db, workspaceId, async (tx) => {
        await requireShown(tx, workspaceId, number)
        const people = body.people === 'all' ? null : body.people
        const mark = { by: name || email, at: services.now() }
        const changed = body.told
          ? await addTold(tx, workspaceId, number, people, mark)
          : await removeTold(tx, workspaceId, number, people)
        return { changed }
      }),
    ),
  ]
}

async function requireShown(tx: Tx, workspaceId: string, number: number): Promise<void> {
  const insight = await readInsight(tx, workspaceId, number)
  if (!insight?.shown) throw new ContractError('not_found', `There is no insight #${number}`)
}

function viewAsker(row: AskerRow): Asker {
  return {
    person: row.person,
    name: row.author,
    mentions: row.mentions,
    date: row.saidAt.toISOString(),
    ...(row.dateKnown ? {} : { date_known: false }),
    ...(row.dateOnly ? { date_only: true } : {}),
    source: row.source,
    place: row.place,
    link: row.link,
    text: row.message.slice(row.start, row.end),
    told:
      row.toldBy === null || row.toldAt === null
        ? null
        : { by: row.toldBy, at: row.toldAt.toISOString(), merged_from: row.toldFrom },
  }
}

function csvLine(row: AskerRow): string {
  const { name, mentions, source, place, text, link, told } = viewAsker(row)
  const date = dateText(row.saidAt, row.dateOnly)
  const cells = [name, mentions, date, source, place, text, link, told?.at ?? null, told?.by ?? null]
  return `${cells.map(csvCell).join(',')}\r\n`
}
