import type { CompanyMessage } from './company/company.ts'

/** An item of a tracker, as its board shows it. */
export type Card = { id: string; label: string; title: string; open: boolean }

/** What people see and do in a tracker. A change is sent to the product like any other event. */
type Board = {
  cards(): Card[]
  close(id: string): void
  reopen(id: string): void
}

/** A tracker whose cards are shown. */
export type Column = { id: string; label: string; board: Board }

/**
 * An app at a provider. `credentials`: values of the form in which they are saved. `signIn`: values of the form before the consent page.
 * `registerReturn`: sets the address that the consent page leads back to, at providers where it belongs to the app.
 */
type DemoApp = {
  credentials: Record<string, string>
  signIn: Record<string, string>
  registerReturn?: (url: string) => void
}

/** A stand-in that the demo connects, and how. */
export type DemoProvider = {
  /** The connector's id. */
  id: string
  /** For `{ID}_BASE_URL`. */
  url: string
  /** Values of the form that connects it. */
  form: Record<string, string>
  /** Its app, for signing in on its consent page. */
  app: DemoApp
  /** Sources whose channels get new messages while the demo runs. */
  post?: (message: { channel: string; author: string; text: string }) => void
  /** Trackers only. */
  board?: Board
  stop(): Promise<void>
}

/** Starts a stand-in. Sources hold this part of the demo company's feedback. */
export type StartDemo = (feedback: readonly CompanyMessage[]) => Promise<DemoProvider>
