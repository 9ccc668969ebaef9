/**
 * Proofs on other machines, through a queue on Redis or Valkey. This folder guarantees that a task is answered once and
 * that no answer of another version counts. It loads no library unless a queue is asked for.
 */
export { QueueClient } from './client';
export { queueLibrary, QueueError } from './library';
export { runWorker } from './worker';
