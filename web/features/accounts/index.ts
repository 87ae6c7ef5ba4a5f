export { LoadingScreen } from './auth-screen.tsx'
export { takeOAuthFragment } from './oauth-fragment.ts'
export { leaveSession, startSession, useSession } from './session.ts'
export { refreshUserData, replaceSettings, useUserData } from './user-store.ts'
