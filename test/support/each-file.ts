import { startRandomAnew } from './random.ts'

startRandomAnew()
