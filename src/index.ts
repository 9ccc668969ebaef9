/** provest as a library: everything the plugin and the command do goes through `verify`. */
export { engineNames as engines } from './engines/registry';
export { cover, verify, type VerificationOptions } from './engines/portfolio/verify';
export { CError } from './c/diagnostics/diagnostic';
export { loadProgram } from './program';
export type { Task, Probe, LoadOptions } from './task';
export type { Verdict } from './verdict';
