import { create } from 'zustand'
import { TOAST_DURATION_MS, TOAST_LIMIT, TOAST_REMOVE_DELAY_MS } from './constants.ts'

type ToastMessage = {
  title: string
  description?: string
  /** A second line in smaller type, such as the provider's response. */
  detail?: string
  tone?: 'plain' | 'destructive'
  durationMs?: number
  action?: { label: string; run: () => void }
}

/** A toast in the store. */
export type Toast = ToastMessage & { id: number; open: boolean; durationMs: number }

type ToastStore = { toasts: Toast[]; nextId: number }

/** The toasts, newest first; a dismissed one is kept until it is removed. */
export const useToasts = create<ToastStore>(() => ({ toasts: [], nextId: 1 }))

/** Shows a toast, which replaces the current one. */
export function toast(message: ToastMessage): void {
  useToasts.setState(({ toasts, nextId }) => ({
    nextId: nextId + 1,
    toasts: [{ durationMs: TOAST_DURATION_MS, ...message, id: nextId, open: true }, ...toasts].slice(0, TOAST_LIMIT),
  }))
}

/** Closes a toast. It is removed only after the removal delay, so that closing can be animated. */
export function dismissToast(id: number): void {
  useToasts.setState(({ toasts }) => ({ toasts: toasts.map((one) => (one.id === id ? { ...one, open: false } : one)) }))
  setTimeout(() => {
    useToasts.setState(({ toasts }) => ({ toasts: toasts.filter((one) => one.id !== id) }))
  }, TOAST_REMOVE_DELAY_MS)
}
