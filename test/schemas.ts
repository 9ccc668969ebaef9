/** The published schemas of what provest prints and writes as JSON. */
import Ajv from 'ajv';
import check from '../src/report/json/check.schema.json';
import opinion from '../src/report/json/opinion.schema.json';
import run from '../src/report/json/run.schema.json';
import verdict from '../src/report/json/verdict.schema.json';

const ajv = new Ajv({
  allErrors: true,
  strictTypes: false,
  keywords: ['tsType'],
  schemas: [verdict, run, check, opinion],
});

/** Fails with what is wrong when the JSON is not as the schema says. */
export function expectValid(schema: 'verdict' | 'run' | 'check' | 'opinion', json: unknown): void {
  const validate = ajv.getSchema(`urn:provest:${schema}:1`)!;
  expect({ valid: validate(json), errors: validate.errors ?? null }).toEqual({ valid: true, errors: null });
}
