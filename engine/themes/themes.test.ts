import { meaningOf } from '@groundswell/fixtures/engine/meanings.ts'
import { encodedState } from '@groundswell/fixtures/engine/sentences.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { assign } from '../clustering/assign.ts'
import { attachVectors } from '../clustering/attach-vectors.ts'
import { revise } from '../clustering/revise.ts'
import { issues, removeIssue } from '../corrections/remove.ts'
import { deserialize, serialize } from '../state/serialize.ts'
import type { State } from '../state/state.ts'
import { prepare } from '../text/prepare.ts'
import { type KnownThemes, NO_THEMES, type PlannedTheme } from './theme.ts'
import { planThemes } from './themes.ts'

const ABOUT: Record<string, { about: string[]; texts: string[] }> = {
  timeout: {
    about: ['export', 'export', 'slow'],
    texts: [
      'The CSV export times out after a minute',
      'Our export never finishes for a large project',
      'Timeouts during the export again',
    ],
  },
  columns: {
    about: ['export', 'export', 'columns'],
    texts: [
      'Wrong columns in the export',
      'The export has its columns in another order',
      'An export without the columns we chose',
    ],
  },
  excel: {
    about: ['export', 'export', 'excel'],
    texts: [
      'Please add an Excel export',
      'We need the export as an Excel file',
      'Excel format for the export would be great',
    ],
  },
  double: {
    about: ['calendar', 'calendar', 'double'],
    texts: [
      'Meetings come in double from my calendar',
      'Every calendar entry is there twice',
      'Duplicates in the calendar since Monday',
    ],
  },
  zone: {
    about: ['calendar', 'calendar', 'zone'],
    texts: [
      'The calendar shows the wrong time zone',
      'Time zone of the calendar is ignored',
      'My calendar is two hours off after travelling',
    ],
  },
  dark: {
    about: ['dark', 'night', 'screen'],
    texts: [
      'Is there a dark mode for the night',
      'A dark theme would help my eyes',
      'White background hurts, please make it dark',
    ],
  },
}

let state: State
let issueOf: Map<string, number>

function say(into: State, id: string, text: string, about: readonly string[]): void {
  assign(into, prepare({ id, text, at: 1 }))
  attachVectors(into, [{ statementId: `${id}:0`, text, at: 1, vector: meaningOf(about, id) }])
}

function build(subjects: readonly string[]): void {
  state = encodedState()
  for (const subject of subjects) {
    const { about, texts } = ABOUT[subject] as (typeof ABOUT)[string]
    for (const [n, text] of texts.entries()) say(state, `${subject}${n}`, text, [...about, subject, subject])
  }
  revise(state)
  issueOf = new Map(
    subjects.map((subject) => [
      subject,
      issues(state).find(({ statementIds }) => statementIds.includes(`${subject}0:0`))?.issueId ?? 0,
    ]),
  )
}

const id = (subject: string) => issueOf.get(subject) as number
const plan = (known: KnownThemes = NO_THEMES) => planThemes(state, known)
const subjectsOf = (theme: PlannedTheme | undefined) =>
  [...issueOf].filter(([, one]) => theme?.insightIds.includes(one)).map(([subject]) => subject)
const shown = (themes: readonly PlannedTheme[]) => themes.map((theme) => [theme.name, subjectsOf(theme)])
const stored = (themes: readonly PlannedTheme[], changes: Partial<KnownThemes> = {}): KnownThemes => ({
  themes: themes.map((theme) => ({ ...theme, personName: null, kept: false })),
  pins: [],
  lastId: Math.max(0, ...themes.map((theme) => theme.id)),
  ...changes,
})

beforeEach(() => build(Object.keys(ABOUT)))

test('insights about one thing are a theme with its name; one that is alone is in none', () => {
  expect(new Set(issueOf.values()).size).toBe(6)
  expect(shown(plan())).toEqual([
    ['Export', ['timeout', 'columns', 'excel']],
    ['Calendar', ['double', 'zone']],
  ])
  expect(plan().map((theme) => theme.id)).toEqual([1, 2])
})

test('the plan is the same again, also from a stored state, and changes nothing in it', () => {
  const bytes = serialize(state)
  const first = plan()
  expect(serialize(state)).toEqual(bytes)
  expect(plan()).toEqual(first)
  expect(planThemes(deserialize(bytes), NO_THEMES)).toEqual(first)
  expect(plan(stored(first))).toEqual(first)
})

test('a theme keeps its id and name when it gains and loses insights, and ends with one', () => {
  build(['timeout', 'columns', 'double', 'zone', 'dark'])
  const before = plan(stored([], { lastId: 6 }))
  expect(before.map((theme) => [theme.id, theme.name])).toEqual([
    [7, 'Export'],
    [8, 'Calendar'],
  ])
  for (const [n, text] of (ABOUT.excel?.texts ?? []).entries())
    say(state, `excel${n}`, text, ['export', 'export', 'excel', 'excel', 'excel'])
  revise(state)
  const excel = issues(state).find(({ statementIds }) => statementIds.includes('excel0:0'))?.issueId as number
  issueOf.set('excel', excel)
  const grown = plan(stored(before))
  expect(shown(grown)[0]).toEqual(['Export', ['timeout', 'columns', 'excel']])
  expect(grown.map((theme) => theme.id)).toEqual([7, 8])
  removeIssue(state, id('timeout'))
  expect(plan(stored(grown)).map((theme) => theme.id)).toEqual([7, 8])
  removeIssue(state, id('columns'))
  expect(plan(stored(grown)).map((theme) => theme.id)).toEqual([8])
})

test('a theme is not shown under a name that fewer than half of its insights say, also where those that said it have left', () => {
  const named = (themes: readonly PlannedTheme[]) => new Set(themes.map(({ name }) => name))
  const before = stored(plan())
  const known = {
    ...before,
    themes: before.themes.map((theme) => (theme.id === 1 ? { ...theme, name: 'Calendar view' } : theme)),
  }
  removeIssue(state, id('excel'))
  expect(named(plan(known))).not.toContain('Calendar view')
  expect(shown(plan(known))[0]).toEqual(['Export', ['timeout', 'columns']])
})

describe('what a person decides stays', () => {
  const decided = (changes: Partial<KnownThemes['themes'][number]>, pins: KnownThemes['pins'] = []) => {
    const known = stored(plan(), { pins })
    return {
      ...known,
      themes: known.themes.map((theme) => (theme.name === 'Export' ? { ...theme, ...changes } : theme)),
    }
  }

  test('a moved insight, and one that is in no theme', () => {
    const moved = plan(
      decided({}, [
        { issueId: id('excel'), themeId: 2 },
        { issueId: id('zone'), themeId: 0 },
      ]),
    )
    expect(shown(moved)).toEqual([
      ['Export', ['timeout', 'columns']],
      ['Calendar', ['double']],
    ])
  })

  test('a named theme with one insight left, or none', () => {
    const known = decided({ personName: 'Downloads', kept: true })
    removeIssue(state, id('timeout'))
    removeIssue(state, id('columns'))
    expect(shown(plan(known))).toContainEqual(['Export', ['excel']])
    removeIssue(state, id('excel'))
    expect(shown(plan(known))).toContainEqual(['Export', []])
  })

  test('a theme that a person made is filled by them, and attracts what is like it', () => {
    const known = stored([], {
      themes: [{ id: 9, name: 'Files', personName: 'Files', kept: true, insightIds: [] }],
      pins: [{ issueId: id('timeout'), themeId: 9 }],
      lastId: 9,
    })
    const themes = plan(known)
    expect(themes.find((theme) => theme.id === 9)).toMatchObject({
      name: 'Files',
      insightIds: [id('columns'), id('excel')].sort((a, b) => a - b),
    })
  })

  test('a theme that they named takes no name from others', () => {
    const known = stored([], {
      themes: [
        { id: 1, name: '', personName: 'Mine', kept: true, insightIds: [id('timeout'), id('columns'), id('dark')] },
      ],
      lastId: 1,
    })
    const mine = plan(known).find((theme) => theme.id === 1)
    expect(mine).toMatchObject({ name: '' })
  })

  test('two themes of people are not merged, however alike', () => {
    const known = stored([], {
      themes: [
        { id: 1, name: 'Slow', personName: 'Slow', kept: true, insightIds: [id('timeout')] },
        { id: 2, name: 'Content', personName: 'Content', kept: true, insightIds: [id('columns')] },
      ],
      lastId: 2,
    })
    const of = (themeId: number) => subjectsOf(plan(known).find((theme) => theme.id === themeId))
    expect(of(1)).toContain('timeout')
    expect(of(2)).toContain('columns')
  })

  test('no other theme gets a name that a person gave', () => {
    const known = stored([], {
      themes: [{ id: 1, name: 'Calendars', personName: 'Exports', kept: true, insightIds: [] }],
      lastId: 1,
    })
    expect(plan(known).map((theme) => theme.name)).not.toContain('Export')
  })
})

test('an insight stays where it is unless another theme is clearly nearer', () => {
  const known = stored(plan())
  const mixed = {
    ...known,
    themes: known.themes.map((theme) =>
      theme.id === 2
        ? { ...theme, insightIds: [...theme.insightIds, id('excel')] }
        : theme.id === 1
          ? { ...theme, insightIds: theme.insightIds.filter((one) => one !== id('excel')) }
          : theme,
    ),
  }
  expect(shown(plan(mixed))[0]).toEqual(['Export', ['timeout', 'columns', 'excel']])
})

test('a state without insights has no themes', () => {
  expect(planThemes(encodedState(), NO_THEMES)).toEqual([])
})
