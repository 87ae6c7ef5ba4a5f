/** A place with a zone, and its minutes east of UTC. */
export type ZonePlace = { offset: number; place: string }

const hours = (offset: number, place: string): ZonePlace => ({ offset: offset * 60, place })

/** Abbreviations that several zones share, the likeliest first: that one is assumed until a person chooses another. */
const ambiguous = new Map<string, readonly ZonePlace[]>(
  Object.entries({
    ADT: [hours(-3, 'Atlantic Canada, summer'), hours(4, 'Arabia, summer')],
    AMT: [hours(-4, 'Amazon'), hours(4, 'Armenia')],
    AST: [hours(-4, 'Atlantic Canada, Caribbean'), hours(3, 'Arabia')],
    BST: [hours(1, 'Britain, summer'), hours(6, 'Bangladesh')],
    CDT: [hours(-5, 'Central America, summer'), hours(-4, 'Cuba, summer')],
    CST: [hours(-6, 'Central America'), hours(8, 'China'), hours(-5, 'Cuba')],
    ECT: [hours(-5, 'Ecuador'), hours(-4, 'Eastern Caribbean')],
    EST: [hours(-5, 'Eastern America'), hours(10, 'Eastern Australia')],
    GST: [hours(4, 'Gulf'), hours(-2, 'South Georgia')],
    IST: [hours(5.5, 'India'), hours(2, 'Israel'), hours(1, 'Ireland, summer')],
    MST: [hours(-7, 'Mountain America'), hours(8, 'Malaysia')],
    PST: [hours(-8, 'Pacific America'), hours(8, 'Philippines')],
    SST: [hours(8, 'Singapore'), hours(-11, 'Samoa')],
    WST: [hours(8, 'Western Australia'), hours(13, 'Samoa')],
  }),
)

/** Hours east of UTC of the abbreviations that mail and exports use for one zone only. */
const unique = new Map(
  Object.entries({
    UT: 0,
    UTC: 0,
    GMT: 0,
    Z: 0,
    EDT: -4,
    MDT: -6,
    PDT: -7,
    AKST: -9,
    AKDT: -8,
    HST: -10,
    NST: -3.5,
    NDT: -2.5,
    ART: -3,
    BRT: -3,
    BRST: -2,
    CLT: -4,
    CLST: -3,
    COT: -5,
    PET: -5,
    WET: 0,
    WEST: 1,
    CET: 1,
    CEST: 2,
    MEZ: 1,
    MESZ: 2,
    EET: 2,
    EEST: 3,
    IDT: 3,
    TRT: 3,
    MSK: 3,
    WAT: 1,
    CAT: 2,
    SAST: 2,
    EAT: 3,
    PKT: 5,
    NPT: 5.75,
    ICT: 7,
    WIB: 7,
    WITA: 8,
    WIT: 9,
    HKT: 8,
    SGT: 8,
    MYT: 8,
    PHT: 8,
    AWST: 8,
    JST: 9,
    KST: 9,
    ACST: 9.5,
    ACDT: 10.5,
    AEST: 10,
    AEDT: 11,
    NZST: 12,
    NZDT: 13,
  }),
)

/** Minutes east of UTC that a person chose for ambiguous abbreviations. */
export type ZoneChoices = Readonly<Record<string, number>>

/** Minutes east of UTC of an abbreviation; null for one that is not known. */
export function offsetOf(name: string, chosen: ZoneChoices): number | null {
  const places = ambiguous.get(name)
  if (places) return (Object.hasOwn(chosen, name) ? chosen[name] : undefined) ?? places[0]?.offset ?? null
  const ahead = unique.get(name)
  return ahead === undefined ? null : ahead * 60
}

/** The places that an abbreviation in this cell may mean, the assumed one first; null where it has none that is ambiguous. */
export function ambiguousZone(cell: string): { name: string; places: readonly ZonePlace[] } | null {
  for (const [name] of cell.matchAll(/(?<![\p{L}\d])[A-Z]{3}(?![\p{L}\d])/gu)) {
    const places = ambiguous.get(name)
    if (places) return { name, places }
  }
  return null
}

/** Zones whose names are written out: the libraries that format dates do so for the language of the person who exports. */
const WRITTEN_OUT = [
  'UTC',
  'Europe/London',
  'Europe/Lisbon',
  'Europe/Berlin',
  'Europe/Athens',
  'Europe/Moscow',
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Los_Angeles',
  'America/Sao_Paulo',
  'America/Argentina/Buenos_Aires',
  'Asia/Kolkata',
  'Asia/Tokyo',
  'Australia/Sydney',
]
const LANGUAGES = ['en', 'de', 'fr', 'es', 'pt']

const nameOf = (text: string) => text.toLowerCase().replaceAll('’', "'")

function* zonesByName(): Generator<[string, number]> {
  for (const language of LANGUAGES) {
    for (const timeZone of WRITTEN_OUT) {
      // All numbers, so that the offset follows from the local time that is written.
      const numbers = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const
      const format = new Intl.DateTimeFormat(language, {
        ...numbers,
        timeZone,
        timeZoneName: 'long',
        hourCycle: 'h23',
        numberingSystem: 'latn',
      })
      for (const instant of [Date.UTC(2026, 0, 15), Date.UTC(2026, 6, 15)]) {
        const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, value]))
        const [year = 0, month = 1, day, hour, minute] = Object.keys(numbers).map((part) =>
          Number(parts.get(part as Intl.DateTimeFormatPartTypes)),
        )
        const local = Date.UTC(year, month - 1, day, hour, minute)
        yield [nameOf(parts.get('timeZoneName') ?? ''), (local - instant) / 60_000]
      }
    }
  }
}

/** Reads the names when a text first needs them: that takes 40 ms, which every start of a process would. */
function readOnce<Read>(read: () => Read): () => Read {
  let known: Read | undefined
  return () => {
    known ??= read()
    return known
  }
}

/** “Mitteleuropäische Normalzeit” and the like, in lower case, and minutes east of UTC; the longest first. */
const writtenOut = readOnce(() => [...new Map(zonesByName())].toSorted(([a], [b]) => b.length - a.length))

/** The zone that is written out at the end of a text, in minutes east of UTC, and the text without it; null where there is none. */
export function zoneWrittenOut(text: string): { offset: number; rest: string } | null {
  const lower = nameOf(text)
  const found = writtenOut().find(([name]) => lower.endsWith(` ${name}`))
  if (!found) return null
  const [name, offset] = found
  return { offset, rest: text.slice(0, lower.length - name.length).trimEnd() }
}

/** `Europe/Berlin` at the end of a text, alone or in brackets. */
const DATABASE_NAME = /[\s([]\(?([A-Z][A-Z_]+(?:\/[A-Z][A-Z0-9_+-]*){1,2})[)\]]?$/i
/** Null for a name that is no zone. */
function formatOf(timeZone: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
  } catch {
    return null
  }
}

/** Minutes east of UTC of a zone at a time. */
function offsetAt(format: Intl.DateTimeFormat, time: number): number {
  const name = format.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign, hours = '0', minutes = '0'] = /GMT([+-])(\d+):(\d+)/.exec(name) ?? []
  return (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1)
}

/**
 * The zone that a text ends with by its name in the time zone database, such as `Europe/Berlin`; null where there is none. `toUtc`: from a local time to the
 * time itself, both in ms; `rest`: the text without the name.
 */
export function zoneByName(text: string): { toUtc: (local: number) => number; rest: string } | null {
  const [all, name] = DATABASE_NAME.exec(text) ?? []
  const format = name === undefined ? null : formatOf(name)
  if (all === undefined || format === null) return null
  return {
    // Twice, because the first offset is that of a time some hours away, perhaps beyond the change of the clocks.
    toUtc: (local) => local - offsetAt(format, local - offsetAt(format, local) * 60_000) * 60_000,
    rest: text.slice(0, text.length - all.length).trimEnd(),
  }
}
