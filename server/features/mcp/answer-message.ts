import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { errorAnswer } from '../../platform/http/errors.ts'
import { version as productVersion } from '../../platform/version.ts'
import { INSTRUCTIONS, marked } from './marked.ts'
import { readTools } from './tools/read-tools.ts'
import type { Tool, ToolContext } from './tools/tool.ts'
import { writeTools } from './tools/write-tools.ts'

/** The most values in the arguments of a tool: 500 mentions and the other arguments. */
const MAX_ELEMENTS = 600
const tools: readonly Tool[] = [...readTools, ...writeTools]

/**
 * Answers one message of the protocol, with a status and body of HTTP; the body is empty for a notification. `version`: the header by which
 * a client says which version was agreed on. Every message stands alone, so that any process can answer it.
 */
export async function answerMessage(
  context: ToolContext,
  { message, version }: { message: unknown; version: string | string[] | undefined },
): Promise<{ status: number; body: string }> {
  // A batch would be many calls that count as one; the protocol has none since 2025-06-18.
  if (Array.isArray(message)) return { status: 400, body: refusal('Send one message at a time') }
  const server = mcpServer(context)
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: undefined,
    enableJsonResponse: true,
  })
  await server.connect(transport)
  try {
    const request = new Request('http://localhost/api/mcp', {
      method: 'POST',
      headers: {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        ...(typeof version === 'string' ? { 'mcp-protocol-version': version } : {}),
      },
    })
    const response = await transport.handleRequest(request, { parsedBody: message })
    return { status: response.status, body: await response.text() }
  } finally {
    await server.close()
  }
}

function mcpServer(context: ToolContext): McpServer {
  const server = new McpServer(
    { name: 'groundswell', title: 'Groundswell', version: productVersion },
    { instructions: INSTRUCTIONS, maxToolInputElements: MAX_ELEMENTS },
  )
  for (const tool of tools) {
    const { name, title, description, input, changes } = tool
    const annotations = { readOnlyHint: !changes, destructiveHint: false, openWorldHint: false }
    server.registerTool(name, { title, description, inputSchema: input, annotations }, async (given: unknown) => {
      try {
        return marked(await context.inTurn(() => tool.run(context, given as never)))
      } catch (error) {
        return refused(context, name, error)
      }
    })
  }
  return server
}

/** The reply of a tool whose call was refused: the error of the contract. */
function refused({ log }: ToolContext, tool: string, error: unknown): CallToolResult {
  const { body, fault } = errorAnswer(error)
  if (fault)
    log.error({ tool, err: error instanceof Error ? { message: error.message, stack: error.stack } : {} }, 'failed')
  const fields = Object.entries(body.fields ?? {}).map(([name, reason]) => `${name}: ${reason}`)
  return { isError: true, content: [{ type: 'text', text: [`${body.code}: ${body.message}`, ...fields].join('\n') }] }
}

function refusal(message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', error: { code: -32600, message }, id: null })
}
