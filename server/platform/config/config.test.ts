import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

describe('readConfig', () => {
  test('needs nothing: the defaults are safe', () => {
    const config = readConfig({ GROUNDSWELL_DATA: 'data' }, '/srv')
    expect(config).toMatchObject({
      dataDir: '/srv/data',
      port: 3000,
      host: '127.0.0.1',
      trustProxy: false,
      allowedOrigins: [],
      allowPrivateAddresses: [],
      signup: 'open',
      logLevel: 'info',
    })
    expect(config.databaseUrl).toBeUndefined()
  })

  test('a language model needs its name, and an address unless its provider has one', () => {
    const llm = (env: Record<string, string>) => readConfig({ GROUNDSWELL_DATA: '/data', ...env }).llm
    expect(llm({})).toBeUndefined()
    expect(llm({ LLM_PROVIDER: 'anthropic', LLM_TOKENS_PER_DAY: '5' })).toBeUndefined()
    expect(llm({ LLM_URL: 'http://127.0.0.1:11434/v1/', LLM_MODEL: 'small' })).toEqual({
      provider: 'openai-compatible',
      url: 'http://127.0.0.1:11434/v1',
      key: undefined,
      model: 'small',
      tokensPerDay: 200_000,
    })
    expect(llm({ LLM_PROVIDER: 'anthropic', LLM_MODEL: 'm', LLM_KEY: 'k', LLM_TOKENS_PER_DAY: '9' })).toMatchObject({
      provider: 'anthropic',
      key: 'k',
      tokensPerDay: 9,
    })
    expect(() => llm({ LLM_MODEL: 'small' })).toThrow('LLM_URL')
    expect(() => llm({ LLM_URL: 'http://127.0.0.1:1' })).toThrow('LLM_MODEL')
    expect(() => llm({ LLM_KEY: 'k-secret' })).toThrow(/^(?!.*k-secret)[^]*LLM_MODEL/)
    expect(() => llm({ LLM_MODEL: 'm', LLM_URL: 'https://u:p@example.com' })).toThrow('LLM_URL')
    expect(() => llm({ LLM_MODEL: 'm', LLM_PROVIDER: '../evil' })).toThrow('LLM_PROVIDER')
  })

  test('an embedding model needs its name, and an address unless it is local', () => {
    const embeddings = (env: Record<string, string>) =>
      readConfig({ GROUNDSWELL_DATA: '/data', INIT_CWD: '/here', ...env }).embeddings
    expect(embeddings({})).toBeUndefined()
    expect(
      embeddings({ EMBEDDINGS_URL: 'http://127.0.0.1:1/v1/', EMBEDDINGS_MODEL: 'm', EMBEDDINGS_KEY: 'k' }),
    ).toEqual({
      provider: 'openai-compatible',
      url: 'http://127.0.0.1:1/v1',
      key: 'k',
      model: 'm',
      tokensPerDay: 10_000_000,
    })
    const server = { EMBEDDINGS_URL: 'http://127.0.0.1:1', EMBEDDINGS_MODEL: 'm' }
    expect(embeddings({ ...server, EMBEDDINGS_TOKENS_PER_DAY: '1000000' })).toMatchObject({ tokensPerDay: 1_000_000 })
    expect(() => embeddings({ ...server, EMBEDDINGS_TOKENS_PER_DAY: '5' })).toThrow('EMBEDDINGS_TOKENS_PER_DAY')
    const local = { EMBEDDINGS_PROVIDER: 'local' }
    expect(embeddings({ ...local, EMBEDDINGS_MODEL: 'Xenova/small' })).toEqual({
      provider: 'local',
      model: 'Xenova/small',
      packageDir: undefined,
    })
    expect(embeddings({ ...local, EMBEDDINGS_MODEL: './models/one', EMBEDDINGS_PACKAGE: '../kit' })).toEqual({
      provider: 'local',
      model: '/here/models/one',
      packageDir: '/kit',
    })
    expect(() => embeddings(local)).toThrow('EMBEDDINGS_MODEL')
    expect(() => embeddings({ EMBEDDINGS_MODEL: 'm' })).toThrow('EMBEDDINGS_URL')
    expect(() => embeddings({ EMBEDDINGS_KEY: 'k-secret' })).toThrow(/^(?!.*k-secret)[^]*EMBEDDINGS_MODEL/)
    expect(() => embeddings({ EMBEDDINGS_MODEL: 'm', EMBEDDINGS_PROVIDER: 'other' })).toThrow('EMBEDDINGS_PROVIDER')
  })

  test('uses the built-in encoder unless it is switched off, with a model from another folder if one is named', () => {
    const encoder = (env: Record<string, string>) =>
      readConfig({ GROUNDSWELL_DATA: '/data', INIT_CWD: '/here', ...env }).encoder
    expect(encoder({})).toEqual({ folder: undefined, adapter: true })
    expect(encoder({ ENCODER_ADAPTER: 'off' })).toEqual({ folder: undefined, adapter: false })
    expect(encoder({ ENCODER: 'on', ENCODER_MODEL: 'models/mine' })).toEqual({
      folder: '/here/models/mine',
      adapter: true,
    })
    expect(encoder({ ENCODER: 'off', ENCODER_MODEL: 'models/mine' })).toBeUndefined()
    expect(() => encoder({ ENCODER: 'no' })).toThrow('ENCODER')
  })

  test('a chat widget needs the id of its provider; Chatwoot has its own address', () => {
    const chat = (env: Record<string, string>) => readConfig({ GROUNDSWELL_DATA: '/data', ...env }).chat
    expect(chat({})).toBeUndefined()
    expect(chat({ CHAT_WIDGET: 'crisp', CHAT_WIDGET_ID: 'a-1', CHAT_WIDGET_HOST: 'https://x.example' })).toEqual({
      provider: 'crisp',
      id: 'a-1',
      host: null,
    })
    expect(chat({ CHAT_WIDGET: 'chatwoot', CHAT_WIDGET_ID: 'b' })?.host).toBe('https://app.chatwoot.com')
    expect(chat({ CHAT_WIDGET: 'chatwoot', CHAT_WIDGET_ID: 'b', CHAT_WIDGET_HOST: 'https://x.example' })?.host).toBe(
      'https://x.example',
    )
    expect(() => chat({ CHAT_WIDGET: 'intercom' })).toThrow('CHAT_WIDGET_ID')
    expect(() => chat({ CHAT_WIDGET: 'intercom', CHAT_WIDGET_ID: '"; script-src *' })).toThrow('CHAT_WIDGET_ID')
  })

  test('the data folder: the given one from where the caller stood, else one of the user’s, or the system’s for root', () => {
    expect(readConfig({ INIT_CWD: '/home/me', GROUNDSWELL_DATA: 'here' }, '/repo').dataDir).toBe('/home/me/here')
    expect(readConfig({ GROUNDSWELL_DATA: '/else/where/' }, '/repo').dataDir).toBe('/else/where')
    const byItself = process.getuid?.() === 0 ? '/var/lib/groundswell' : '/repo/data'
    expect(readConfig({}, '/repo').dataDir).toBe(byItself)
  })

  test('reads lists, numbers and switches', () => {
    const config = readConfig({
      ALLOWED_ORIGINS: ' https://a.example , https://b.example:8443/ ',
      WEBHOOK_ALLOW: '10.0.0.0/8,hooks.internal',
      TRUST_PROXY: '2',
      PORT: '0',
      PUBLIC_URL: 'https://feedback.example/',
      SIGNUP: 'invite',
      WORKER_CONCURRENCY: '8',
      DATABASE_URL: 'postgres://u:p@one,two/db',
    })
    expect(config).toMatchObject({
      allowedOrigins: ['https://a.example', 'https://b.example:8443'],
      allowPrivateAddresses: ['10.0.0.0/8', 'hooks.internal'],
      trustProxy: 2,
      port: 0,
      publicUrl: 'https://feedback.example',
      signup: 'invite',
      workerConcurrency: 8,
      databaseUrl: 'postgres://u:p@one,two/db',
    })
    expect(readConfig({ TRUST_PROXY: 'true' }).trustProxy).toBe(true)
    expect(readConfig({ TRUST_PROXY: '10.0.0.1' }).trustProxy).toBe('10.0.0.1')
  })

  test('where providers are, the operator’s apps there, and who may come without a state, by the names of connectors', () => {
    const config = readConfig({
      SLACK_BASE_URL: 'http://127.0.0.1:9/',
      JIRA_LOGIN_BASE_URL: 'http://127.0.0.1:8/',
      JIRA_SITE_BASE_URL: 'http://127.0.0.1:7',
      SLACK_CLIENT_ID: '1.2',
      SLACK_SIGNING_SECRET: 'hush',
      LINEAR_WEBHOOK_SECRET: 'hush',
      SLACK_OAUTH_STATELESS: '1',
      JIRA_OAUTH_STATELESS: '0',
      COMING_SOON: 'teams, jira',
      HOME_PAGE: 'x',
    })
    expect(config.baseUrls).toEqual({ slack: 'http://127.0.0.1:9' })
    expect(config.hostUrls).toEqual({ jira: { login: 'http://127.0.0.1:8', site: 'http://127.0.0.1:7' } })
    expect(config.appCredentials).toEqual({
      SLACK_CLIENT_ID: '1.2',
      SLACK_SIGNING_SECRET: 'hush',
      LINEAR_WEBHOOK_SECRET: 'hush',
    })
    expect(config.oauthStateless).toEqual(['slack'])
    expect([config.comingSoon, readConfig({}).comingSoon]).toEqual([['teams', 'jira'], []])
    expect(() => readConfig({ SLACK_BASE_URL: 'secret-place' })).toThrow(/SLACK_BASE_URL must be an address/)
    expect(() => readConfig({ JIRA_SITE_BASE_URL: 'x' })).toThrow(/JIRA_SITE_BASE_URL must be an address/)
  })

  test('the database by its address for the app, without a pooler, for its owner, and for the sign-in code', () => {
    const [DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_ADMIN_URL, DATABASE_AUTH_URL] = [
      'pooled',
      'direct',
      'admin',
      'auth',
    ].map((host) => `postgres://${host}/db`)
    expect(readConfig({ DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_ADMIN_URL, DATABASE_AUTH_URL })).toMatchObject({
      databaseAuthUrl: DATABASE_AUTH_URL,
      databaseConnections: { pool: 10, auth: 5, queue: 5 },
      databaseUrl: DATABASE_URL,
      databaseDirectUrl: DATABASE_DIRECT_URL,
      databaseAdminUrl: DATABASE_ADMIN_URL,
    })
    expect(() => readConfig({ DATABASE_AUTH_URL })).toThrow('DATABASE_URL must be set where DATABASE_AUTH_URL is')
    expect(() => readConfig({ DATABASE_ADMIN_URL })).toThrow('DATABASE_URL must be set where DATABASE_ADMIN_URL is')
    expect(() => readConfig({ DATABASE_URL, DATABASE_DIRECT_URL: 'mysql://db/x' })).toThrow('DATABASE_DIRECT_URL must')
  })

  test('an empty variable is as good as none', () => {
    expect(readConfig({ DATABASE_URL: '', PORT: '' })).toMatchObject({ databaseUrl: undefined, port: 3000 })
  })

  test('a port that was chosen is the only one; the default gives way to the next free ones', () => {
    expect(readConfig({ PORT: '3000' })).toMatchObject({ port: 3000, nextPorts: 0 })
    expect(readConfig({})).toMatchObject({ port: 3000, nextPorts: 20 })
  })

  test('names every wrong variable at once, and shows no value', () => {
    const wrong = () =>
      readConfig({
        PORT: '70000',
        DATABASE_URL: 'mysql://root:hunter2@db/x',
        GROUNDSWELL_KEY: 'too-short-secret',
        SIGNUP: 'maybe',
        ALLOWED_ORIGINS: 'https://a.example/path',
        PUBLIC_URL: 'feedback.example',
      })
    expect(wrong).toThrow(ConfigError)
    const message = (() => {
      try {
        wrong()
      } catch (error) {
        return (error as Error).message
      }
      return ''
    })()
    for (const name of ['PORT', 'DATABASE_URL', 'GROUNDSWELL_KEY', 'SIGNUP', 'ALLOWED_ORIGINS', 'PUBLIC_URL']) {
      expect(message).toMatch(new RegExp(`^ {2}${name} must `, 'm'))
    }
    expect(message).not.toMatch(/hunter2|too-short-secret|undefined/)
  })
})
