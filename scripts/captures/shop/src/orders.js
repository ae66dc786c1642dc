import { send } from './queue.js'

// Confirmed when its mail is out: the queue has a retryLimit.
export const confirm = (order, deliver) => send({ key: order.id, to: order.mail }, deliver)
