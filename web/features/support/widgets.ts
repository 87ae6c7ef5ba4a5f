import type { PublicConfig } from '@groundswell/contract/operations.ts'

/** The chat widget that the operator chose, with its account. */
export type ChatWidget = NonNullable<PublicConfig['chat']>

type ChatPerson = { name: string; email: string }

type Queue = ((...args: unknown[]) => void) & { q?: unknown[][] }

declare global {
  interface Window {
    Intercom?: Queue
    intercomSettings?: Record<string, unknown>
    $crisp?: { push: (entry: unknown[]) => unknown }
    CRISP_WEBSITE_ID?: string
    chatwootSDK?: { run: (options: { websiteToken: string; baseUrl: string }) => void }
    chatwootSettings?: Record<string, unknown>
    $chatwoot?: {
      setUser: (id: string, person: ChatPerson) => void
      reset: () => void
      toggleBubbleVisibility: (to: 'show' | 'hide') => void
    }
  }
}

/** One provider's widget: the URL of its script, how it gets the user, and how it is removed. */
type Provider = {
  script: (widget: ChatWidget) => string
  /** Before the script is fetched. */
  begin: (widget: ChatWidget, person: ChatPerson) => void
  /** Once the script has run. */
  loaded?: (widget: ChatWidget, person: ChatPerson) => void
  end: () => void
  /** The elements that it leaves in the page. */
  traces: string
}

/** The script of each provider of a chat widget, and how it learns who is signed in. */
export const providers: Record<ChatWidget['provider'], Provider> = {
  intercom: {
    script: ({ id }) => `https://widget.intercom.io/widget/${encodeURIComponent(id)}`,
    begin({ id }, { name, email }) {
      const settings = { api_base: 'https://api-iam.intercom.io', app_id: id, name, email }
      window.intercomSettings = settings
      if (!window.Intercom) {
        const waiting: Queue = (...args) => void (waiting.q ??= []).push(args)
        window.Intercom = waiting
      }
      window.Intercom('boot', settings)
    },
    end() {
      window.Intercom?.('shutdown')
      delete window.intercomSettings
    },
    traces: '#intercom-container, #intercom-frame, .intercom-lightweight-app',
  },
  crisp: {
    script: () => 'https://client.crisp.chat/l.js',
    begin({ id }, { name, email }) {
      window.CRISP_WEBSITE_ID = id
      if (!window.$crisp) {
        const waiting: unknown[][] = []
        window.$crisp = waiting
      }
      window.$crisp.push(['set', 'user:email', [email]])
      window.$crisp.push(['set', 'user:nickname', [name]])
      window.$crisp.push(['do', 'chat:show'])
    },
    end() {
      window.$crisp?.push(['do', 'chat:hide'])
      window.$crisp?.push(['do', 'session:reset'])
    },
    traces: '.crisp-client, #crisp-chatbox',
  },
  chatwoot: {
    script: ({ host }) => `${host}/packs/js/sdk.js`,
    begin(_, person) {
      window.chatwootSettings = { position: 'right', type: 'standard' }
      window.addEventListener('chatwoot:ready', () => window.$chatwoot?.setUser(person.email, person), { once: true })
    },
    loaded: ({ id, host }) => window.chatwootSDK?.run({ websiteToken: id, baseUrl: host ?? '' }),
    end() {
      window.$chatwoot?.toggleBubbleVisibility('hide')
      window.$chatwoot?.reset()
    },
    traces: '.woot-widget-holder, .woot--bubble-holder, #cw-widget-holder, #cw-bubble-holder',
  },
}
