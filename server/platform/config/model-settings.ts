/** `provider`: the part of `@ai-sdk/<provider>` that is its own. `url` has no trailing slash. */
export interface LlmSettings {
  provider: string
  url?: string
  key?: string
  model: string
  /** What the whole installation may use in one UTC day. */
  tokensPerDay: number
}

/**
 * `url` has no trailing slash and is set unless `provider` is local. `model`: its name, or for a local one the absolute
 * folder that holds it. `packageDir`: the absolute folder in which transformers.js is installed; not set: this installation.
 * `tokensPerDay`: what the whole installation may use in one UTC day; not set: unlimited, as for a local model.
 */
export interface EmbeddingSettings {
  provider: 'openai-compatible' | 'local'
  url?: string
  key?: string
  model: string
  packageDir?: string
  tokensPerDay?: number
}
