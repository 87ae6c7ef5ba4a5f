export const words = 'Select an insight from the list'
