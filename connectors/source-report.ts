/** An item that a source could not read, after its retries. `label` tells it from others on the tile, such as `#50`. */
type UnreadItem = { noun: string; label: string; link: string | null; reason: string }

/** `more`: how many others could not be read, without details. */
export type SetAsideView = { items: UnreadItem[]; more: number }

/** How far a first sync is: items of the provider that were read and about how many there are, such as conversations, each with any number of messages. */
export type SyncProgress = { noun: string; read: number; total: number }
