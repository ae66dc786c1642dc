/** The mail library, loaded when the first mail is sent: the build makes a file of its own of this one. */
export { createTransport } from 'nodemailer'
