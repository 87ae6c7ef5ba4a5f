const NEEDED = 24

/** Throws where the tests run under another Node than the project's own, which runs TypeScript without a build. */
export function requireNode(): void {
  const [major = 0] = process.versions.node.split('.').map(Number)
  if (major >= NEEDED) return
  throw new Error(
    `The tests need Node ${NEEDED}, and this is Node ${process.versions.node}. The project installs its own: use "npm test" or "npx vitest run …".`,
  )
}
