import type { Insight } from '@groundswell/contract/insights.ts'
import type { ComponentType } from 'react'
import { create } from 'zustand'

/** The checkbox of each row, once it is loaded. */
export const useTickSlot = create<{ Tick: ComponentType<{ insight: Insight }> | null }>(() => ({ Tick: null }))
