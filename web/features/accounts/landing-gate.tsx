import { type ReactNode, useState } from 'react'
import { lazyPart } from '../../ui/loading/lazy-part.tsx'
import { MissingScreen } from '../../ui/loading/missing-part.tsx'
import { LoadingScreen } from './auth-screen.tsx'
import { landingQuestion, settleLanding } from './landing-question.ts'

const SwitchStep = lazyPart(async () => (await import('./sign-in/switch-step.tsx')).SwitchStep, {
  waiting: () => <LoadingScreen />,
  missing: (_, error, retry) => <MissingScreen error={error} onRetry={retry} />,
})

/** Shows a screen that signs in with the URL's token, after asking when that would replace another account's session. */
export function LandingGate({ children }: { children: ReactNode }) {
  const [question, setQuestion] = useState(landingQuestion)
  if (question === null) return children
  const goOn = () => {
    settleLanding()
    setQuestion(null)
  }
  return <SwitchStep {...question} onSwitch={goOn} />
}
