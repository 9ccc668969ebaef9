/** Where the schema is, when it was fetched. */
export declare const sarifSchema: string;
