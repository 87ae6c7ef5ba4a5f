import { create } from 'zustand'

/** A window that the frame shows over any screen: the command palette, the list of keys, or the choice of a workspace. */
export type FrameWindow = 'commands' | 'keys' | 'workspaces'

/** The open one. */
export const useFrameWindow = create<{ open: FrameWindow | null }>(() => ({ open: null }))

/** Replaces the open window; null closes it. */
export function showFrameWindow(open: FrameWindow | null): void {
  useFrameWindow.setState({ open })
}
