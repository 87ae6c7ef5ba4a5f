/**
 * What the conformance suite needs to run a connector against a local server. Each built connector exports one from its
 * `testing.ts`: `export const sample: Sample = (server) => ({ form, secrets })`.
 */
export type Sample = (server: string) => {
  /** A form as a person would send it, with the local server for the other side. */
  form: Record<string, unknown>
  /** Secrets that the core adds to those of the form. */
  secrets: Record<string, string>
  /** What a successful call answers. */
  answer: string
}
