// A file of its own in the build: only who looks for faults reads all that can have some.
export { runDoctorVerb } from './doctor/verb.ts'
export { runServiceVerb } from './service/verb.ts'
