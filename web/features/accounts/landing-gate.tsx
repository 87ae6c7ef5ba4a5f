import { lazy, type ReactNode, Suspense, useState } from 'react'
import { LoadingScreen } from './auth-screen.tsx'
import { landingQuestion, settleLanding } from './landing-question.ts'

const SwitchStep = lazy(async () => ({ default: (await import('./switch-step.tsx')).SwitchStep }))

/** Shows a screen that signs in by what the address brought, after asking where that would replace another account's sign-in. */
export function LandingGate({ children }: { children: ReactNode }) {
  const [question, setQuestion] = useState(landingQuestion)
  if (question === null) return children
  const goOn = () => {
    settleLanding()
    setQuestion(null)
  }
  return (
    <Suspense fallback={<LoadingScreen />}>
      <SwitchStep {...question} onSwitch={goOn} />
    </Suspense>
  )
}
