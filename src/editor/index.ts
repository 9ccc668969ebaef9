/**
 * The language server: what an editor shows of verdicts, and what it can do about them. It knows verdicts as JSON, asks
 * the command or the project's test runner for them in processes of their own, and never lets one stand beside a text
 * that it is not about.
 */
export type { EditorBackend } from './backend';
export { serve } from './server';
