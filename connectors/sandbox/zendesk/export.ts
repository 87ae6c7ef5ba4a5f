import type { StoredTicket } from './records.ts'

/** The incremental export: each ticket once, at the time of its last change. */
export type TicketExport = {
  put(ticket: StoredTicket): void
  /** Up to `size` tickets that changed after `after`, up to `until` in epoch seconds. */
  page(after: string | { start: number }, until: number, size: number): Exported | null
}
type Exported = { tickets: StoredTicket[]; cursor: string; end: boolean }

type Place = { generated: number; id: number }

const isBefore = (a: Place, b: Place) => a.generated - b.generated || a.id - b.id

/** Tickets in the order of their last change. A cursor is a place in it, so changes meanwhile neither repeat nor hide others. */
export function createExport(): TicketExport {
  const places: (Place & { ticket: StoredTicket })[] = []
  let sorted = true
  const order = () => {
    if (sorted) return
    places.sort(isBefore)
    sorted = true
  }
  const firstAfter = (place: Place): number => {
    let [low, high] = [0, places.length]
    while (low < high) {
      const middle = (low + high) >> 1
      const at = places[middle]
      if (at && isBefore(at, place) <= 0) low = middle + 1
      else high = middle
    }
    return low
  }
  return {
    put(ticket) {
      const last = places.at(-1)
      const place = { generated: ticket.generated, id: ticket.id, ticket }
      if (last && isBefore(last, place) > 0) sorted = false
      places.push(place)
    },
    page(after, until, size) {
      order()
      const from = typeof after === 'string' ? decode(after) : { generated: after.start, id: -1 }
      if (from === null) return null
      const tickets: StoredTicket[] = []
      let reached: Place = from
      let index = firstAfter(from)
      for (; index < places.length && tickets.length < size; index += 1) {
        const place = places[index]
        if (!place || place.generated > until) break
        reached = place
        // Places that a later change has left behind are skipped.
        if (place.generated === place.ticket.generated) tickets.push(place.ticket)
      }
      const next = places[index]
      return { tickets, cursor: encode(reached), end: !next || next.generated > until }
    },
  }
}

const encode = ({ generated, id }: Place) => Buffer.from(`${generated}.0||${id}|`).toString('base64')

/** Null for an invalid cursor. Trailing marks are part of a fault, and are ignored. */
function decode(cursor: string): Place | null {
  const parts = /^(\d+)\.0\|\|(-?\d+)\|~*$/.exec(Buffer.from(cursor, 'base64').toString())
  return parts ? { generated: Number(parts[1]), id: Number(parts[2]) } : null
}
