import type { Http } from '@groundswell/connectors/connector.ts'
import { inPart } from '../../platform/traces/spans.ts'

/**
 * Each request to a provider is a part of the trace that it is made in. It carries nothing of the trace: a provider need not know that two
 * requests belong together, and its address, which may be a customer's, is not in the span.
 */
export function tracedHttp(connector: string, http: Http): Http {
  return {
    request: (request) =>
      inPart(
        {
          name: `call ${connector}`,
          kind: 'client',
          facts: { 'http.request.method': request.method, 'groundswell.connector': connector },
        },
        async (span) => {
          const response = await http.request(request)
          span.say({ 'http.response.status_code': response.status })
          if (response.status >= 400) span.fail(String(response.status))
          return response
        },
      ),
  }
}
