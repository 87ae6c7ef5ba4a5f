import { getUserData, type UserData } from '@groundswell/contract/accounts.ts'
import type { Settings } from '@groundswell/contract/settings.ts'
import { create } from 'zustand'
import { persist } from 'zustand/middleware'
import { USER_STORE_KEY, USER_STORE_VERSION } from '../../ui/constants.ts'
import { afterFirstLook } from '../../ui/first-look.ts'
import { call, readToken, showWorkspace } from '../client/index.ts'

type UserStore = { userData: UserData | null }

/** The user's data in the browser's storage: this field and nothing else. */
export const useUserStore = create<UserStore>()(
  persist(() => ({ userData: null }) as UserStore, {
    name: USER_STORE_KEY,
    version: USER_STORE_VERSION,
    partialize: ({ userData }) => ({ userData }),
  }),
)

/** The signed-in user's data, or null. */
export function useUserData(): UserData | null {
  return useUserStore((store) => store.userData)
}

/** Whether the user may change things in the workspace. True on a server without roles. */
export function useMayEdit(): boolean {
  return useUserData()?.workspace?.role !== 'viewer'
}

/** Loads the complete user data from the server and stores it, unless the person has signed out meanwhile. Throws CallError. */
export async function refreshUserData(): Promise<UserData> {
  const userData = await call(getUserData, {})
  if (readToken() === null) return userData
  keep(userData)
  const { workspace } = userData
  if (workspace?.role === 'owner' && workspace.time_zone === null) void takeZone(workspace.id)
  return userData
}

/** A new workspace takes the time zone of its first owner. Nothing on the first screen needs it; after a sign-out it does nothing. */
async function takeZone(workspaceId: string): Promise<void> {
  const isHere = () => useUserStore.getState().userData?.workspace?.id === workspaceId
  await afterFirstLook
  const part = isHere() ? await import('./browser-zone.ts').catch(() => null) : null
  const time_zone = await part?.takeBrowserZone()
  useUserStore.setState(({ userData }) =>
    time_zone && userData?.workspace && isHere()
      ? { userData: { ...userData, workspace: { ...userData.workspace, time_zone } } }
      : {},
  )
}

/** Replaces the settings in the stored user data. */
export function replaceSettings(settings: Settings): void {
  useUserStore.setState(({ userData }) => ({ userData: userData && { ...userData, settings } }))
}

/** Removes the user data from this browser, at the end of a session. */
export function clearUserData(): void {
  keep(null)
}

function keep(userData: UserData | null): void {
  showWorkspace(userData?.workspace?.id)
  useUserStore.setState({ userData })
}
