import type { InsightEvent } from '@groundswell/contract/insight-detail.ts'

/** What happened, in words; the number of another insight is left for a link behind them. */
export function eventInWords({ event, from, to, tag, count = 0 }: InsightEvent): string {
  switch (event) {
    case 'created':
      return 'Created'
    case 'grew':
      return `${count} ${count === 1 ? 'mention' : 'mentions'} joined`
    case 'renamed':
      return `Renamed from “${from ?? ''}” to “${to ?? ''}”`
    case 'status':
      return statusWords[to ?? ''] ?? `Now ${to ?? 'unknown'}`
    case 'merged':
      return 'Merged into'
    case 'absorbed':
      return 'Took in'
    case 'ended':
      return 'Dissolved: its mentions belong elsewhere'
    case 'deleted':
      return 'Deleted'
    case 'restored':
      return 'Deletion undone'
    case 'tagged':
      return to === undefined ? `${tag ?? 'A tag'} removed by hand` : `${tag ?? 'A tag'} set to “${to}” by hand`
    default:
      return event
  }
}

const statusWords: Record<string, string> = {
  created: 'Open again',
  pushed: 'Pushed',
  resolved: 'Resolved',
  regressed: 'Said again after it was resolved',
  ignored: 'Ignored',
}
