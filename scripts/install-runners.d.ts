/** The folder with the node_modules of a runner; it need not exist. */
export function runnerFolder(name: string): string;
