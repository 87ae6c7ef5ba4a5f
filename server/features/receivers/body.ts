import { completeFields, insightOutputs } from '@groundswell/contract/insight-fields.ts'
import { EVENT_TEXT, OutgoingEvent } from '@groundswell/contract/receivers/outgoing-event.ts'
import { siteUrl } from '../../auth/index.ts'
import type { Tx } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { insightAddress } from '../deliveries/index.ts'
import { type InsightRow, readInsight } from '../insights/index.ts'
import type { EventRow } from './delivery-store.ts'

/** The body of an event, with the insight as it is now. Its size is bounded, and it has no quotes and no names of people or customers. */
export async function writeBody(
  services: Pick<Services, 'config'>,
  tx: Tx,
  workspaceId: string,
  { type, issueNumber, mergedInto, changed, happenedAt }: Omit<EventRow, 'id' | 'payload'>,
): Promise<string> {
  const site = siteUrl(services)
  const insight = issueNumber === null ? null : await readInsight(tx, workspaceId, issueNumber)
  const target = mergedInto === null ? null : await readInsight(tx, workspaceId, mergedInto)
  const fields = Object.keys(changed)
  const known = Object.entries(changed).filter(([field, value]) => value !== null || field === 'team_status')
  const previous = Object.fromEntries(
    known.filter(([field]) => field !== 'tags').map(([field, value]) => [field, cut(value, 'name')]),
  )
  const event = {
    type,
    timestamp: happenedAt.toISOString(),
    data: {
      workspace_id: workspaceId,
      ...(insight && { insight: viewInsight(insight, site) }),
      ...(fields.length > 0 && { changed: fields, previous }),
      ...(target && {
        merged_into: {
          id: target.id,
          number: target.issue_number,
          name: cut(target.issue_name, 'name'),
          url: insightAddress(site, target.issue_number),
        },
      }),
    },
  }
  return JSON.stringify(OutgoingEvent.parse(event))
}

function viewInsight(insight: InsightRow, site: string) {
  return {
    id: insight.id,
    number: insight.issue_number,
    name: cut(insight.issue_name, 'name'),
    summary: cut(insight.summary, 'summary'),
    ...completeFields(insight, insightOutputs.events),
    url: insightAddress(site, insight.issue_number),
  }
}

/** A text cut to the length of a field, between characters. */
function cut<T extends string | null>(text: T, field: keyof typeof EVENT_TEXT): T {
  return (text === null ? null : text.slice(0, EVENT_TEXT[field]).toWellFormed()) as T
}
