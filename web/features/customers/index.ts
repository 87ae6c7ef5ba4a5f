export { readInsightNumbers, useCustomerChoices } from './customer-queries.ts'
export { InsightCustomers } from './insight-customers.tsx'
