/** A refusal as ClickUp sends it. */
export class ClickUpError extends Error {
  readonly status: number
  readonly code: string
  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
  get body(): unknown {
    return { err: this.message, ECODE: this.code }
  }
}

export const notFound = (what: string) => new ClickUpError(404, 'ITEM_013', `${what} not found`)
export const notAllowed = () => new ClickUpError(401, 'OAUTH_027', 'Team not authorized')
export const noToken = () => new ClickUpError(401, 'OAUTH_025', 'Token invalid')
export const invalid = (message: string) => new ClickUpError(400, 'INPUT_001', message)
