import {
  type GeneratorOptions,
  getGeneratorOptions,
  getInputOptions,
  NO_OPTIONS,
  setDir,
  setGeneratorFilter,
  setInputFilter,
} from '@groundswell/contract/evaluation/comparisons.ts'
import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { call, logFailure } from '../client/index.ts'
import { toggleOption, viewOptions, viewSources } from './comparison-view.ts'
import { keepParts, placeFromAddress, placeToAddress } from './flow-address.ts'
import { NOTHING_OPENED, type OpenedSessions, openSessions } from './opened-sessions.ts'

type State = {
  directory: string
  /** Null before they are loaded. */
  options: GeneratorOptions | null
  ticked: GeneratorOptions
  /** The selected options when the filter was applied; null before. */
  applied: GeneratorOptions | null
  /** The input sources; null before the generator filter is applied. */
  sources: string[] | null
  source: string
  /** Null before a source is chosen. */
  sessions: OpenedSessions | null
  index: number
  busy: boolean
  /** What failed, and how to retry it. */
  failure: { message: string; again: () => void } | null
}

const start: State = {
  directory: '',
  options: null,
  ticked: NO_OPTIONS,
  applied: null,
  sources: null,
  source: '',
  sessions: null,
  index: 0,
  busy: false,
  failure: null,
}

/** The choices made so far, and the steps that change them. Each step resets those after it. */
export type ComparisonFlow = State & {
  chooseDirectory: (name: string) => void
  /** Chooses a directory, and all of its generators. */
  openDirectory: (name: string) => void
  toggle: (group: keyof GeneratorOptions, value: string | number) => void
  applyFilter: () => void
  chooseSource: (source: string) => void
  refresh: () => void
  goTo: (index: number) => void
}

/**
 * Directory → generator filter → input source → comparisons. The server stores each step, so they run one at a time: while one
 * runs, `busy` disables the controls. Each step resets the later ones. The position is in the address; when it is opened there,
 * the same steps run again.
 */
export function useComparisonFlow(): ComparisonFlow {
  const [state, setState] = useState(start)
  const [address, setAddress] = useSearchParams()
  const change = (part: Partial<State>) => setState((old) => ({ ...old, ...part }))

  const step = async (message: string, work: () => Promise<Partial<State>>, again: () => void) => {
    change({ busy: true, failure: null })
    try {
      const found = await work()
      change({ ...found, busy: false })
      return true
    } catch (error) {
      logFailure(message)(error)
      change({ busy: false, failure: { message, again } })
      return false
    }
  }

  const chooseDirectory = async (directory: string): Promise<boolean> => {
    setState({ ...start, directory })
    if (directory === '') return false
    const work = async () => {
      await call(setDir, { body: { dir_name: directory } })
      return { options: viewOptions(await call(getGeneratorOptions, {})) }
    }
    return step('Failed to set directory or load generator options.', work, () => void chooseDirectory(directory))
  }

  const applyFilter = async (filter: GeneratorOptions): Promise<boolean> => {
    change({ ticked: filter, applied: null, sources: null, source: '', sessions: null, index: 0 })
    const work = async () => {
      await call(setGeneratorFilter, { body: filter })
      return { applied: filter, sources: viewSources(await call(getInputOptions, {})) }
    }
    return step('Failed to set generator filter.', work, () => void applyFilter(filter))
  }

  const chooseSource = async (source: string, index = 0): Promise<boolean> => {
    change({ source, sessions: null, index: 0, failure: null })
    if (source === '') return false
    const work = async () => {
      await call(setInputFilter, { body: { input_filter: source } })
      const sessions = await openSessions(index).catch((error: unknown) => {
        logFailure('The comparisons')(error)
        return NOTHING_OPENED
      })
      return { sessions, index: Math.min(index, Math.max(0, sessions.total - 1)) }
    }
    return step('Failed to set input filter.', work, () => void chooseSource(source, index))
  }

  const openDirectory = async (directory: string) => {
    if (await chooseDirectory(directory)) await applyFilter(NO_OPTIONS)
  }

  const refresh = (source: string, index: number) => {
    const work = async () => {
      await call(setInputFilter, { body: { input_filter: source } })
      try {
        const sessions = await openSessions(index)
        return { sessions, index: Math.min(index, Math.max(0, sessions.total - 1)) }
      } catch (error) {
        change({ sessions: NOTHING_OPENED, index: 0 })
        throw error
      }
    }
    void step('Failed to refresh comparisons.', work, () => refresh(source, index))
  }

  const goAgain = async () => {
    const { directory, ticked, source, index } = placeFromAddress(address)
    if (!(await chooseDirectory(directory)) || ticked === null) return
    if ((await applyFilter(ticked)) && source !== '') await chooseSource(source, index)
  }
  // The address is read once, and written only after all its steps have run again.
  const stage = useRef<'new' | 'resuming' | 'writing'>('new')
  useEffect(() => {
    if (stage.current !== 'new') return
    stage.current = 'resuming'
    void goAgain().finally(() => {
      stage.current = 'writing'
    })
  })

  const { directory, applied, source, index, busy } = state
  const now = address.toString()
  useEffect(() => {
    if (busy || stage.current !== 'writing') return
    const place = keepParts(placeToAddress({ directory, ticked: applied, source, index }), new URLSearchParams(now))
    if (place.toString() !== now) setAddress(place, { replace: true })
  }, [directory, applied, source, index, busy, now, setAddress])

  return {
    ...state,
    chooseDirectory: (name) => void chooseDirectory(name),
    openDirectory: (name) => void openDirectory(name),
    toggle: (group, value) => setState((old) => ({ ...old, ticked: toggleOption(old.ticked, group, value) })),
    applyFilter: () => void applyFilter(state.ticked),
    chooseSource: (name) => void chooseSource(name),
    refresh: () => refresh(state.source, state.index),
    goTo: (index) => change({ index }),
  }
}
