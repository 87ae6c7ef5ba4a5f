export { readInsightNumbers, useCustomer, useCustomers } from './customer-queries.ts'
export { InsightCustomers } from './insight-customers.tsx'
