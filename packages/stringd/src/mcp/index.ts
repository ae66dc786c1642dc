export { answer } from './answer.ts'
export { serveLines } from './serve-lines.ts'
