import { type ApiKey, createApiKey, listApiKeys, revokeApiKey } from '@groundswell/contract/api-keys.ts'
import { createKey, type KeyRow, listKeys, revokeKey } from '../../auth/index.ts'
import { type Handler, handle } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'

/** The calls on API keys. No key can make them. */
export function apiKeyRoutes(services: Services): Handler[] {
  return [
    handle(listApiKeys, async ({ caller }) => ({
      keys: (await listKeys(services, caller.workspaceId)).map((row) => viewKey(row, services.now())),
    })),
    handle(createApiKey, async ({ caller, body, request }) => {
      const { name, scopes, expires_in_days: days } = body
      const { key, token } = await createKey(services, caller, { name, scopes, days }, request)
      return { key: viewKey(key, services.now()), token }
    }),
    handle(revokeApiKey, async ({ caller, params, request }) => {
      await revokeKey(services, caller, params.id, request)
      return { id: params.id }
    }),
  ]
}

function viewKey(row: KeyRow, now: Date): ApiKey {
  return {
    id: row.id,
    name: row.name,
    scopes: row.scopes,
    start: row.tokenStart,
    made_by: row.madeBy,
    created_at: row.createdAt.toISOString(),
    expires_at: row.expiresAt?.toISOString() ?? null,
    expired: row.expiresAt !== null && row.expiresAt <= now,
    last_used_at: row.lastUsedAt?.toISOString() ?? null,
  }
}
